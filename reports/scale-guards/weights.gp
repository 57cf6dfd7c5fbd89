# rowmax 0.1.0, sweep scale-guards, SHA-256 of the sweep 312dfcf7971bdf5c671147658684fd262a1b3559d20b141cde4637cbbe26f818
# Attention weights of one seed
# Written by rowmax; to draw it again: gnuplot -d weights.gp
# In another format: gnuplot -d -e "FORMAT='svg'" weights.gp (png, svg, pdf)
# In another file: gnuplot -d -e "OUT='copy.svg'" weights.gp (its ending tells the format)
ENDING = ''
WORD = exists('FORMAT') ? '.'.FORMAT : exists('OUT') ? OUT : ''
do for [k=1:strlen(WORD)] {
  LETTER = WORD[k:k]
  CAPITAL = strstrt('DFGNPSV', LETTER)
  if (CAPITAL > 0) { LETTER = substr('dfgnpsv', CAPITAL, CAPITAL) }
  ENDING = LETTER eq '.' ? '.' : LETTER eq '/' || ENDING eq '' ? '' : ENDING.LETTER
}
if (ENDING eq '') { ENDING = '.png' }
if (ENDING ne '.png' && ENDING ne '.svg' && ENDING ne '.pdf') {
  if (exists('FORMAT')) { exit error "FORMAT='".FORMAT."' is unknown; it is 'png', 'svg' or 'pdf'" }
  exit error "OUT='".OUT."' ends in none of .png, .svg and .pdf; name it so, or give FORMAT='png', 'svg' or 'pdf' as well"
}
FORMAT = ENDING[2:*]
if (!exists('OUT')) OUT = 'weights.'.FORMAT
FONT = 'DejaVu Sans'
set encoding utf8
PS = 1
if (FORMAT eq 'svg') {
  set terminal svg noenhanced size 2000,1588.68 dynamic font FONT.',20' fontscale 1.33 linewidth 1.6 background rgb 'white'
  PS = 0.56
} else { if (FORMAT eq 'pdf') {
  set terminal pdfcairo noenhanced size 10in,7.943in font FONT.',20' fontscale 0.3600 linewidth 0.5760 pointscale 0.3600 background rgb 'white'
} else {
  set terminal pngcairo noenhanced size 2000,1588.68 font FONT.',20' linewidth 1.6 background rgb 'white'
} }
set output OUT
set border 3 linecolor rgb 0x8A949C linewidth 1
set tics nomirror out scale 0.6 textcolor rgb 0x26323C font FONT.',17'
set grid ytics back linecolor rgb 0xE3E7EA linewidth 1 linetype 1
set style fill transparent solid 0.18 noborder
unset key
unset colorbox
set multiplot
set palette defined (0 '#440154', 0.125 '#482878', 0.25 '#3E4A89', 0.375 '#31688E', 0.5 '#26828E', \
    0.625 '#1F9E89', 0.75 '#35B779', 0.875 '#6DCD59', 1 '#FDE725')
set cbrange [0:1]
set border 0
unset grid
set style fill solid
IMAGE = FORMAT eq 'png' ? 'image' : 'image pixels'
tone(p) = p >= 0 ? sqrt(p) : NaN
cell(p) = abs(p) < 0.005 ? '' : (p < 0 ? '−' : '').sprintf('%.2f', abs(p))
shade(p) = p > 0.35 || p < 0 ? 0x26323C : 0xFFFFFF
$r0c0 << ROWMAX_EOD
0 0 0
1 0 0
2 0 0
3 0 0
4 0 1
5 0 0
6 0 0
7 0 0
0 1 0
1 1 0
2 1 3.10604e-281
3 1 0
4 1 1
5 1 2.19702e-276
6 1 0
7 1 0
0 2 1.04091e-257
1 2 9.56631e-161
2 2 1.11848e-72
3 2 4.16425e-190
4 2 1
5 2 1.07334e-61
6 2 1.59029e-243
7 2 3.5273e-120
0 3 0
1 3 0
2 3 0
3 3 0
4 3 1
5 3 0
6 3 0
7 3 0
0 4 6.16724e-178
1 4 4.01127e-211
2 4 8.63711e-214
3 4 8.70475e-82
4 4 1
5 4 1.0206e-200
6 4 9.04166e-122
7 4 4.02257e-279
0 5 9.10699e-57
1 5 9.06271e-176
2 5 1.31285e-98
3 5 1
4 5 6.81066e-27
5 5 1.55921e-112
6 5 2.13663e-49
7 5 2.25097e-125
0 6 0
1 6 0
2 6 0
3 6 0
4 6 1
5 6 0
6 6 4.89098e-185
7 6 0
0 7 6.53793e-113
1 7 0
2 7 0
3 7 1
4 7 2.79054e-239
5 7 0
6 7 6.35754e-09
7 7 0
ROWMAX_EOD
$r0c1 << ROWMAX_EOD
0 0 0
1 0 0
2 0 0
3 0 0
4 0 0
5 0 0
6 0 1
7 0 0
0 1 4.44016e-219
1 1 0
2 1 0
3 1 3.92141e-55
4 1 0
5 1 0
6 1 1
7 1 0
0 2 1.17218e-69
1 2 0
2 2 0
3 2 1
4 2 0
5 2 0
6 2 1.60799e-41
7 2 0
0 3 0
1 3 0
2 3 0
3 3 0
4 3 0
5 3 0
6 3 1
7 3 0
0 4 2.16155e-78
1 4 0
2 4 0
3 4 1
4 4 0
5 4 0
6 4 2.34939e-09
7 4 0
0 5 1.56648e-155
1 5 0
2 5 0
3 5 2.89266e-20
4 5 0
5 5 0
6 5 1
7 5 0
0 6 0
1 6 0
2 6 0
3 6 0
4 6 0
5 6 0
6 6 1
7 6 0
0 7 1.72891e-203
1 7 0
2 7 0
3 7 2.28452e-112
4 7 0
5 7 0
6 7 1
7 7 0
ROWMAX_EOD
$r0c2 << ROWMAX_EOD
0 0 0
1 0 0
2 0 0
3 0 0
4 0 0
5 0 0
6 0 1
7 0 0
0 1 3.37006e-289
1 1 0
2 1 0
3 1 1
4 1 0
5 1 0
6 1 1.99026e-148
7 1 0
0 2 1.98621e-28
1 2 0
2 2 0
3 2 1
4 2 0
5 2 0
6 2 1.4398e-170
7 2 0
0 3 0
1 3 0
2 3 0
3 3 0
4 3 0
5 3 0
6 3 1
7 3 0
0 4 1.22854e-319
1 4 0
2 4 0
3 4 1
4 4 0
5 4 0
6 4 2.51764e-254
7 4 0
0 5 0
1 5 0
2 5 0
3 5 1.21081e-236
4 5 0
5 5 0
6 5 1
7 5 0
0 6 0
1 6 0
2 6 0
3 6 0
4 6 0
5 6 0
6 6 1
7 6 0
0 7 0
1 7 0
2 7 0
3 7 1
4 7 0
5 7 0
6 7 2.18416e-77
7 7 0
ROWMAX_EOD
$r1c0 << ROWMAX_EOD
0 0 0.0164049
1 0 0.00768117
2 0 0.00955598
3 0 0.0440324
4 0 0.781453
5 0 0.0218645
6 0 0.104914
7 0 0.0140949
0 1 0.0700513
1 1 0.084726
2 1 0.113906
3 1 0.0883425
4 1 0.402173
5 1 0.116418
6 1 0.0569091
7 1 0.0674742
0 2 0.0679672
1 2 0.105119
2 2 0.156203
3 2 0.0921159
4 2 0.215883
5 2 0.164111
6 2 0.072444
7 2 0.126157
0 3 0.00716932
1 3 0.0103295
2 3 0.0141744
3 3 0.0229243
4 3 0.837283
5 3 0.0322686
6 3 0.0545576
7 3 0.0212931
0 4 0.107567
1 4 0.092653
2 4 0.0915483
3 4 0.165756
4 4 0.238666
5 4 0.0970918
6 4 0.138477
7 4 0.0682416
0 5 0.135302
1 5 0.079228
2 5 0.112094
3 5 0.174084
4 5 0.154758
5 5 0.10529
6 5 0.139862
7 5 0.0993818
0 6 0.0336106
1 6 0.00482242
2 6 0.00576233
3 6 0.10184
4 6 0.579736
5 6 0.0117806
6 6 0.253075
7 6 0.00937292
0 7 0.188127
1 7 0.0223196
2 7 0.022166
3 7 0.311574
4 7 0.10657
5 7 0.0270035
6 7 0.300298
7 7 0.0219413
ROWMAX_EOD
$r1c1 << ROWMAX_EOD
0 0 4.55238e-13
1 0 1.64727e-61
2 0 5.95994e-95
3 0 1.19625e-06
4 0 9.56939e-90
5 0 1.46686e-77
6 0 0.999999
7 0 2.61654e-62
0 1 0.17361
1 1 1.5839e-21
2 1 7.67699e-24
3 1 0.362896
4 1 6.5848e-24
5 1 3.13047e-23
6 1 0.463494
7 1 1.24111e-21
0 2 0.239457
1 2 0.0390308
2 2 0.0296829
3 2 0.326481
4 2 0.0246511
5 2 0.0240972
6 2 0.271758
7 2 0.0448426
0 3 3.82576e-13
1 3 7.29402e-56
2 3 5.74796e-89
3 3 1.19763e-06
4 3 1.20385e-83
5 3 1.41147e-71
6 3 0.999999
7 3 1.84912e-56
0 4 0.264402
1 4 1.14117e-15
2 4 4.60346e-16
3 4 0.374934
4 4 3.47248e-16
5 4 5.86234e-16
6 4 0.360663
7 4 2.43242e-15
0 5 0.206464
1 5 1.64744e-29
2 5 6.90678e-31
3 5 0.379347
4 5 6.31266e-31
5 5 1.43941e-30
6 5 0.414189
7 5 2.23136e-29
0 6 3.86654e-13
1 6 6.38317e-71
2 6 8.72595e-105
3 6 1.14697e-06
4 6 1.95886e-99
5 6 3.13907e-87
6 6 0.999999
7 6 8.87342e-72
0 7 0.200181
1 7 2.27973e-34
2 7 5.44681e-37
3 7 0.301574
4 7 6.86045e-37
5 7 3.12614e-36
6 7 0.498245
7 7 8.3301e-35
ROWMAX_EOD
$r1c2 << ROWMAX_EOD
0 0 9.40013e-88
1 0 0
2 0 0
3 0 2.12673e-35
4 0 0
5 0 0
6 0 1
7 0 0
0 1 0.152837
1 1 0
2 1 0
3 1 0.559309
4 1 0
5 1 0
6 1 0.287854
7 1 0
0 2 0.375887
1 2 4.05373e-291
2 2 1.58195e-292
3 2 0.425758
4 2 2.27457e-292
5 2 1.4672e-290
6 2 0.198354
7 2 8.6027e-292
0 3 7.89975e-88
1 3 0
2 3 0
3 3 2.12918e-35
4 3 0
5 3 0
6 3 1
7 3 0
0 4 0.152957
1 4 0
2 4 0
3 4 0.641864
4 4 0
5 4 0
6 4 0.205179
7 4 0
0 5 0.101997
1 5 0
2 5 0
3 5 0.230898
4 5 0
5 5 0
6 5 0.667106
7 5 0
0 6 7.98396e-88
1 6 0
2 6 0
3 6 2.03911e-35
4 6 0
5 6 0
6 6 1
7 6 0
0 7 0.0985019
1 7 0
2 7 0
3 7 0.527689
4 7 0
5 7 0
6 7 0.373809
7 7 0
ROWMAX_EOD
$r2c0 << ROWMAX_EOD
0 0 0.137102
1 0 0.0952473
2 0 0.0533413
3 0 0.142151
4 0 0.219799
5 0 0.084996
6 0 0.165479
7 0 0.101884
0 1 0.160675
1 1 0.108594
2 1 0.0499191
3 1 0.156437
4 1 0.209259
5 1 0.0711539
6 1 0.166176
7 1 0.0777871
0 2 0.146294
1 2 0.0988177
2 2 0.0426414
3 2 0.146053
4 2 0.133854
5 2 0.106453
6 2 0.175385
7 2 0.150502
0 3 0.13639
1 3 0.0967157
2 3 0.0520567
3 3 0.143494
4 3 0.214786
5 3 0.0841967
6 3 0.166908
7 3 0.105453
0 4 0.117481
1 4 0.126233
2 4 0.0840639
3 4 0.122042
4 4 0.175313
5 4 0.127572
6 4 0.134075
7 4 0.113218
0 5 0.121998
1 5 0.0887981
2 5 0.0758979
3 5 0.121598
4 5 0.12694
5 5 0.133878
6 5 0.142007
7 5 0.188883
0 6 0.13133
1 6 0.0922457
2 6 0.0584296
3 6 0.137707
4 6 0.224864
5 6 0.0885534
6 6 0.160645
7 6 0.106226
0 7 0.104563
1 7 0.0805375
2 7 0.0677135
3 7 0.112463
4 7 0.22809
5 7 0.153036
6 7 0.135452
7 7 0.118146
ROWMAX_EOD
$r2c1 << ROWMAX_EOD
0 0 0.134534
1 0 0.183304
2 0 0.0321029
3 0 0.135411
4 0 0.0589551
5 0 0.125441
6 0 0.136782
7 0 0.19347
0 1 0.105185
1 1 0.197512
2 1 0.0581913
3 1 0.10539
4 1 0.072487
5 1 0.122204
6 1 0.10657
7 1 0.23246
0 2 0.139253
1 2 0.150475
2 2 0.0345087
3 2 0.139233
4 2 0.0683424
5 2 0.107003
6 2 0.141216
7 2 0.219968
0 3 0.135041
1 3 0.182421
2 3 0.0317558
3 3 0.135934
4 3 0.0589388
5 3 0.125289
6 3 0.137309
7 3 0.193312
0 4 0.122399
1 4 0.119064
2 4 0.0663821
3 4 0.122398
4 4 0.0782906
5 4 0.124068
6 4 0.124312
7 4 0.243086
0 5 0.111727
1 5 0.156692
2 5 0.0788396
3 5 0.112098
4 5 0.088136
5 5 0.110787
6 5 0.113534
7 5 0.228185
0 6 0.134304
1 6 0.18337
2 6 0.0321685
3 6 0.135188
4 6 0.0593527
5 6 0.125469
6 6 0.136559
7 6 0.193589
0 7 0.103871
1 7 0.201249
2 7 0.0670984
3 7 0.10384
4 7 0.0863804
5 7 0.124189
6 7 0.105275
7 7 0.208097
ROWMAX_EOD
$r2c2 << ROWMAX_EOD
0 0 0.0810608
1 0 0.150763
2 0 0.220279
3 0 0.081108
4 0 0.148043
5 0 0.114567
6 0 0.0811724
7 0 0.123008
0 1 0.0916249
1 1 0.128306
2 1 0.214834
3 1 0.0916321
4 1 0.118577
5 1 0.113973
6 1 0.0916699
7 1 0.149382
0 2 0.101521
1 2 0.122062
2 2 0.181673
3 2 0.101466
4 2 0.127226
5 2 0.113129
6 2 0.1015
7 2 0.151422
0 3 0.0810751
1 3 0.150747
2 3 0.220282
3 3 0.0811224
4 3 0.148033
5 3 0.114547
6 3 0.0811867
7 3 0.123007
0 4 0.106447
1 4 0.120963
2 4 0.205233
3 4 0.106474
4 4 0.106322
5 4 0.0942203
6 4 0.106489
7 4 0.153852
0 5 0.0900236
1 5 0.127755
2 5 0.199568
3 5 0.0900185
4 5 0.133671
5 5 0.11726
6 5 0.0900916
7 5 0.151612
0 6 0.0810648
1 6 0.150748
2 6 0.220303
3 6 0.0811121
4 6 0.148003
5 6 0.114548
6 6 0.0811764
7 6 0.123045
0 7 0.0951788
1 7 0.135977
2 7 0.217807
3 7 0.0952531
4 7 0.125447
5 7 0.0952856
6 7 0.095291
7 7 0.139759
ROWMAX_EOD
set label 'The same recipe on three corpora' at screen 0.02200, screen 0.96853 left font FONT.' Bold,30' textcolor rgb 0x26323C
set label 'Attention weights of seed 1. Each line is a query with its weights over the keys, left to right, which sum to 1.' at screen 0.02200, screen 0.93454 left font FONT.',19' textcolor rgb 0x5A666F
set label '9 of 24 kept matrices are drawn, the most saturated among them; 3 of 8 guard sets.' at screen 0.02200, screen 0.91314 left font FONT.',19' textcolor rgb 0x5A666F
set label 'Shades follow the square root of a weight, so that small weights can be told apart.' at screen 0.02200, screen 0.89173 left font FONT.',19' textcolor rgb 0x5A666F
set label 'guards none' at screen 0.09500, screen 0.82501 left font FONT.' Bold,19' textcolor rgb 0x26323C
set label 'guards init + scale' at screen 0.09500, screen 0.56763 left font FONT.' Bold,19' textcolor rgb 0x26323C
set label 'guards init + scale + norm' at screen 0.09500, screen 0.31025 left font FONT.' Bold,19' textcolor rgb 0x26323C
set label 'demo' at screen 0.09500, screen 0.85145 left font FONT.' Bold,23' textcolor rgb 0x0072B2
set label 'kitchen' at screen 0.36733, screen 0.85145 left font FONT.' Bold,23' textcolor rgb 0x0072B2
set label 'harbour' at screen 0.63967, screen 0.85145 left font FONT.' Bold,23' textcolor rgb 0x0072B2

# row 1, column 1
set lmargin at screen 0.09500
set rmargin at screen 0.34733
set tmargin at screen 0.79354
set bmargin at screen 0.59659
set label 'mean row-max 1.00' at screen 0.09500, screen 0.80613 left font FONT.',16' textcolor rgb 0x5A666F
set colorbox user origin screen 0.91200, screen 0.59659 size screen 0.01200, screen 0.19695 noborder
set cbtics ('0' 0, '0.01' 0.1, '0.05' sqrt(0.05), '0.1' sqrt(0.1), '0.25' 0.5, '0.5' sqrt(0.5), '1' 1) scale 0.4 offset -0.6,0 font FONT.',16'
set cblabel 'attention weight' offset -0.6,0 font FONT.',17' textcolor rgb 0x26323C
set xrange [-0.5:7.5]
set yrange [7.5:-0.5]
unset xtics
unset ytics
set ytics scale 0 offset 0.6,0 font FONT.',15' textcolor rgb 0x26323C ('the' 0, 'cat' 1, 'chased' 2, 'the' 3, 'mouse' 4, 'across' 5, 'the' 6, 'garden' 7)
do for [k=1:7] {
  set arrow from first k-0.5, graph 0 to first k-0.5, graph 1 nohead front linewidth 0.7 linecolor rgb 'white'
}
do for [k=1:7] {
  set arrow from graph 0, first k-0.5 to graph 1, first k-0.5 nohead front linewidth 0.7 linecolor rgb 'white'
}
plot $r0c0 using 1:2:(tone($3)) with @IMAGE, \
     $r0c0 using 1:2:(cell($3)):(shade($3)) with labels font FONT.',13' textcolor rgb variable
unset colorbox
unset cblabel
unset object
unset label
unset arrow

# row 1, column 2
set lmargin at screen 0.36733
set rmargin at screen 0.61967
set tmargin at screen 0.79354
set bmargin at screen 0.59659
set label 'mean row-max 1.00' at screen 0.36733, screen 0.80613 left font FONT.',16' textcolor rgb 0x5A666F
set xrange [-0.5:7.5]
set yrange [7.5:-0.5]
unset xtics
unset ytics
do for [k=1:7] {
  set arrow from first k-0.5, graph 0 to first k-0.5, graph 1 nohead front linewidth 0.7 linecolor rgb 'white'
}
do for [k=1:7] {
  set arrow from graph 0, first k-0.5 to graph 1, first k-0.5 nohead front linewidth 0.7 linecolor rgb 'white'
}
plot $r0c1 using 1:2:(tone($3)) with @IMAGE, \
     $r0c1 using 1:2:(cell($3)):(shade($3)) with labels font FONT.',13' textcolor rgb variable
unset colorbox
unset cblabel
unset object
unset label
unset arrow

# row 1, column 3
set lmargin at screen 0.63967
set rmargin at screen 0.89200
set tmargin at screen 0.79354
set bmargin at screen 0.59659
set label 'mean row-max 1.00' at screen 0.63967, screen 0.80613 left font FONT.',16' textcolor rgb 0x5A666F
set xrange [-0.5:7.5]
set yrange [7.5:-0.5]
unset xtics
unset ytics
do for [k=1:7] {
  set arrow from first k-0.5, graph 0 to first k-0.5, graph 1 nohead front linewidth 0.7 linecolor rgb 'white'
}
do for [k=1:7] {
  set arrow from graph 0, first k-0.5 to graph 1, first k-0.5 nohead front linewidth 0.7 linecolor rgb 'white'
}
plot $r0c2 using 1:2:(tone($3)) with @IMAGE, \
     $r0c2 using 1:2:(cell($3)):(shade($3)) with labels font FONT.',13' textcolor rgb variable
unset colorbox
unset cblabel
unset object
unset label
unset arrow

# row 2, column 1
set lmargin at screen 0.09500
set rmargin at screen 0.34733
set tmargin at screen 0.53616
set bmargin at screen 0.33921
set label 'mean row-max 0.443' at screen 0.09500, screen 0.54875 left font FONT.',16' textcolor rgb 0x5A666F
set xrange [-0.5:7.5]
set yrange [7.5:-0.5]
unset xtics
unset ytics
set ytics scale 0 offset 0.6,0 font FONT.',15' textcolor rgb 0x26323C ('the' 0, 'cat' 1, 'chased' 2, 'the' 3, 'mouse' 4, 'across' 5, 'the' 6, 'garden' 7)
do for [k=1:7] {
  set arrow from first k-0.5, graph 0 to first k-0.5, graph 1 nohead front linewidth 0.7 linecolor rgb 'white'
}
do for [k=1:7] {
  set arrow from graph 0, first k-0.5 to graph 1, first k-0.5 nohead front linewidth 0.7 linecolor rgb 'white'
}
plot $r1c0 using 1:2:(tone($3)) with @IMAGE, \
     $r1c0 using 1:2:(cell($3)):(shade($3)) with labels font FONT.',13' textcolor rgb variable
unset colorbox
unset cblabel
unset object
unset label
unset arrow

# row 2, column 2
set lmargin at screen 0.36733
set rmargin at screen 0.61967
set tmargin at screen 0.53616
set bmargin at screen 0.33921
set label 'mean row-max 0.635' at screen 0.36733, screen 0.54875 left font FONT.',16' textcolor rgb 0x5A666F
set xrange [-0.5:7.5]
set yrange [7.5:-0.5]
unset xtics
unset ytics
do for [k=1:7] {
  set arrow from first k-0.5, graph 0 to first k-0.5, graph 1 nohead front linewidth 0.7 linecolor rgb 'white'
}
do for [k=1:7] {
  set arrow from graph 0, first k-0.5 to graph 1, first k-0.5 nohead front linewidth 0.7 linecolor rgb 'white'
}
plot $r1c1 using 1:2:(tone($3)) with @IMAGE, \
     $r1c1 using 1:2:(cell($3)):(shade($3)) with labels font FONT.',13' textcolor rgb variable
unset colorbox
unset cblabel
unset object
unset label
unset arrow

# row 2, column 3
set lmargin at screen 0.63967
set rmargin at screen 0.89200
set tmargin at screen 0.53616
set bmargin at screen 0.33921
set label 'mean row-max 0.728' at screen 0.63967, screen 0.54875 left font FONT.',16' textcolor rgb 0x5A666F
set xrange [-0.5:7.5]
set yrange [7.5:-0.5]
unset xtics
unset ytics
do for [k=1:7] {
  set arrow from first k-0.5, graph 0 to first k-0.5, graph 1 nohead front linewidth 0.7 linecolor rgb 'white'
}
do for [k=1:7] {
  set arrow from graph 0, first k-0.5 to graph 1, first k-0.5 nohead front linewidth 0.7 linecolor rgb 'white'
}
plot $r1c2 using 1:2:(tone($3)) with @IMAGE, \
     $r1c2 using 1:2:(cell($3)):(shade($3)) with labels font FONT.',13' textcolor rgb variable
unset colorbox
unset cblabel
unset object
unset label
unset arrow

# row 3, column 1
set lmargin at screen 0.09500
set rmargin at screen 0.34733
set tmargin at screen 0.27878
set bmargin at screen 0.08183
set label 'mean row-max 0.205' at screen 0.09500, screen 0.29137 left font FONT.',16' textcolor rgb 0x5A666F
set xrange [-0.5:7.5]
set yrange [7.5:-0.5]
unset xtics
unset ytics
set ytics scale 0 offset 0.6,0 font FONT.',15' textcolor rgb 0x26323C ('the' 0, 'cat' 1, 'chased' 2, 'the' 3, 'mouse' 4, 'across' 5, 'the' 6, 'garden' 7)
set xtics scale 0 rotate by 35 right offset 0.4,0.2 font FONT.',15' textcolor rgb 0x26323C ('the' 0, 'cat' 1, 'chased' 2, 'the' 3, 'mouse' 4, 'across' 5, 'the' 6, 'garden' 7)
do for [k=1:7] {
  set arrow from first k-0.5, graph 0 to first k-0.5, graph 1 nohead front linewidth 0.7 linecolor rgb 'white'
}
do for [k=1:7] {
  set arrow from graph 0, first k-0.5 to graph 1, first k-0.5 nohead front linewidth 0.7 linecolor rgb 'white'
}
plot $r2c0 using 1:2:(tone($3)) with @IMAGE, \
     $r2c0 using 1:2:(cell($3)):(shade($3)) with labels font FONT.',13' textcolor rgb variable
unset colorbox
unset cblabel
unset object
unset label
unset arrow

# row 3, column 2
set lmargin at screen 0.36733
set rmargin at screen 0.61967
set tmargin at screen 0.27878
set bmargin at screen 0.08183
set label 'mean row-max 0.214' at screen 0.36733, screen 0.29137 left font FONT.',16' textcolor rgb 0x5A666F
set xrange [-0.5:7.5]
set yrange [7.5:-0.5]
unset xtics
unset ytics
set xtics scale 0 rotate by 35 right offset 0.4,0.2 font FONT.',15' textcolor rgb 0x26323C ('the' 0, 'cat' 1, 'chased' 2, 'the' 3, 'mouse' 4, 'across' 5, 'the' 6, 'garden' 7)
do for [k=1:7] {
  set arrow from first k-0.5, graph 0 to first k-0.5, graph 1 nohead front linewidth 0.7 linecolor rgb 'white'
}
do for [k=1:7] {
  set arrow from graph 0, first k-0.5 to graph 1, first k-0.5 nohead front linewidth 0.7 linecolor rgb 'white'
}
plot $r2c1 using 1:2:(tone($3)) with @IMAGE, \
     $r2c1 using 1:2:(cell($3)):(shade($3)) with labels font FONT.',13' textcolor rgb variable
unset colorbox
unset cblabel
unset object
unset label
unset arrow

# row 3, column 3
set lmargin at screen 0.63967
set rmargin at screen 0.89200
set tmargin at screen 0.27878
set bmargin at screen 0.08183
set label 'mean row-max 0.210' at screen 0.63967, screen 0.29137 left font FONT.',16' textcolor rgb 0x5A666F
set xrange [-0.5:7.5]
set yrange [7.5:-0.5]
unset xtics
unset ytics
set xtics scale 0 rotate by 35 right offset 0.4,0.2 font FONT.',15' textcolor rgb 0x26323C ('the' 0, 'cat' 1, 'chased' 2, 'the' 3, 'mouse' 4, 'across' 5, 'the' 6, 'garden' 7)
do for [k=1:7] {
  set arrow from first k-0.5, graph 0 to first k-0.5, graph 1 nohead front linewidth 0.7 linecolor rgb 'white'
}
do for [k=1:7] {
  set arrow from graph 0, first k-0.5 to graph 1, first k-0.5 nohead front linewidth 0.7 linecolor rgb 'white'
}
plot $r2c2 using 1:2:(tone($3)) with @IMAGE, \
     $r2c2 using 1:2:(cell($3)):(shade($3)) with labels font FONT.',13' textcolor rgb variable
unset colorbox
unset cblabel
unset object
unset label
unset arrow
unset multiplot
unset output
