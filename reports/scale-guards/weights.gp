# Attention weights of one seed
# Written by rowmax; to draw it again: gnuplot -d weights.gp
# In another format: gnuplot -d -e "FORMAT='svg'" weights.gp (png, svg, pdf)
if (!exists('FORMAT')) FORMAT = 'png'
if (!exists('OUT')) OUT = 'weights.'.FORMAT
FONT = 'DejaVu Sans'
set encoding utf8
PS = 1
if (FORMAT eq 'svg') {
  set terminal svg noenhanced size 2000,1554.68 dynamic font FONT.',20' fontscale 1.33 linewidth 1.6 background rgb 'white'
  PS = 0.56
} else { if (FORMAT eq 'pdf') {
  set terminal pdfcairo noenhanced size 10in,7.773in font FONT.',20' fontscale 0.3600 linewidth 0.5760 pointscale 0.3600 background rgb 'white'
} else {
  set terminal pngcairo noenhanced size 2000,1554.68 font FONT.',20' linewidth 1.6 background rgb 'white'
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
cell(p) = p < 0.005 ? '' : sprintf('%.2f', p)
shade(p) = p > 0.35 ? 0x26323C : 0xFFFFFF
$r0c0 << ROWMAX_EOD
0 0 0 0 1 0 0 0
0 0 3.10604e-281 0 1 2.19702e-276 0 0
1.04091e-257 9.56631e-161 1.11848e-72 4.16425e-190 1 1.07334e-61 1.59029e-243 3.5273e-120
0 0 0 0 1 0 0 0
6.16724e-178 4.01127e-211 8.63711e-214 8.70475e-82 1 1.0206e-200 9.04166e-122 4.02257e-279
9.10699e-57 9.06271e-176 1.31285e-98 1 6.81066e-27 1.55921e-112 2.13663e-49 2.25097e-125
0 0 0 0 1 0 4.89098e-185 0
6.53793e-113 0 0 1 2.79054e-239 0 6.35754e-09 0
ROWMAX_EOD
$r0c1 << ROWMAX_EOD
0 0 0 0 0 0 1 0
4.44016e-219 0 0 3.92141e-55 0 0 1 0
1.17218e-69 0 0 1 0 0 1.60799e-41 0
0 0 0 0 0 0 1 0
2.16155e-78 0 0 1 0 0 2.34939e-09 0
1.56648e-155 0 0 2.89266e-20 0 0 1 0
0 0 0 0 0 0 1 0
1.72891e-203 0 0 2.28452e-112 0 0 1 0
ROWMAX_EOD
$r0c2 << ROWMAX_EOD
0 0 0 0 0 0 1 0
3.37006e-289 0 0 1 0 0 1.99026e-148 0
1.98621e-28 0 0 1 0 0 1.4398e-170 0
0 0 0 0 0 0 1 0
1.22854e-319 0 0 1 0 0 2.51764e-254 0
0 0 0 1.21081e-236 0 0 1 0
0 0 0 0 0 0 1 0
0 0 0 1 0 0 2.18416e-77 0
ROWMAX_EOD
$r1c0 << ROWMAX_EOD
0.0164049 0.00768117 0.00955598 0.0440324 0.781453 0.0218645 0.104914 0.0140949
0.0700513 0.084726 0.113906 0.0883425 0.402173 0.116418 0.0569091 0.0674742
0.0679672 0.105119 0.156203 0.0921159 0.215883 0.164111 0.072444 0.126157
0.00716932 0.0103295 0.0141744 0.0229243 0.837283 0.0322686 0.0545576 0.0212931
0.107567 0.092653 0.0915483 0.165756 0.238666 0.0970918 0.138477 0.0682416
0.135302 0.079228 0.112094 0.174084 0.154758 0.10529 0.139862 0.0993818
0.0336106 0.00482242 0.00576233 0.10184 0.579736 0.0117806 0.253075 0.00937292
0.188127 0.0223196 0.022166 0.311574 0.10657 0.0270035 0.300298 0.0219413
ROWMAX_EOD
$r1c1 << ROWMAX_EOD
4.55238e-13 1.64727e-61 5.95994e-95 1.19625e-06 9.56939e-90 1.46686e-77 0.999999 2.61654e-62
0.17361 1.5839e-21 7.67699e-24 0.362896 6.5848e-24 3.13047e-23 0.463494 1.24111e-21
0.239457 0.0390308 0.0296829 0.326481 0.0246511 0.0240972 0.271758 0.0448426
3.82576e-13 7.29402e-56 5.74796e-89 1.19763e-06 1.20385e-83 1.41147e-71 0.999999 1.84912e-56
0.264402 1.14117e-15 4.60346e-16 0.374934 3.47248e-16 5.86234e-16 0.360663 2.43242e-15
0.206464 1.64744e-29 6.90678e-31 0.379347 6.31266e-31 1.43941e-30 0.414189 2.23136e-29
3.86654e-13 6.38317e-71 8.72595e-105 1.14697e-06 1.95886e-99 3.13907e-87 0.999999 8.87342e-72
0.200181 2.27973e-34 5.44681e-37 0.301574 6.86045e-37 3.12614e-36 0.498245 8.3301e-35
ROWMAX_EOD
$r1c2 << ROWMAX_EOD
9.40013e-88 0 0 2.12673e-35 0 0 1 0
0.152837 0 0 0.559309 0 0 0.287854 0
0.375887 4.05373e-291 1.58195e-292 0.425758 2.27457e-292 1.4672e-290 0.198354 8.6027e-292
7.89975e-88 0 0 2.12918e-35 0 0 1 0
0.152957 0 0 0.641864 0 0 0.205179 0
0.101997 0 0 0.230898 0 0 0.667106 0
7.98396e-88 0 0 2.03911e-35 0 0 1 0
0.0985019 0 0 0.527689 0 0 0.373809 0
ROWMAX_EOD
$r2c0 << ROWMAX_EOD
0.137102 0.0952473 0.0533413 0.142151 0.219799 0.084996 0.165479 0.101884
0.160675 0.108594 0.0499191 0.156437 0.209259 0.0711539 0.166176 0.0777871
0.146294 0.0988177 0.0426414 0.146053 0.133854 0.106453 0.175385 0.150502
0.13639 0.0967157 0.0520567 0.143494 0.214786 0.0841967 0.166908 0.105453
0.117481 0.126233 0.0840639 0.122042 0.175313 0.127572 0.134075 0.113218
0.121998 0.0887981 0.0758979 0.121598 0.12694 0.133878 0.142007 0.188883
0.13133 0.0922457 0.0584296 0.137707 0.224864 0.0885534 0.160645 0.106226
0.104563 0.0805375 0.0677135 0.112463 0.22809 0.153036 0.135452 0.118146
ROWMAX_EOD
$r2c1 << ROWMAX_EOD
0.134534 0.183304 0.0321029 0.135411 0.0589551 0.125441 0.136782 0.19347
0.105185 0.197512 0.0581913 0.10539 0.072487 0.122204 0.10657 0.23246
0.139253 0.150475 0.0345087 0.139233 0.0683424 0.107003 0.141216 0.219968
0.135041 0.182421 0.0317558 0.135934 0.0589388 0.125289 0.137309 0.193312
0.122399 0.119064 0.0663821 0.122398 0.0782906 0.124068 0.124312 0.243086
0.111727 0.156692 0.0788396 0.112098 0.088136 0.110787 0.113534 0.228185
0.134304 0.18337 0.0321685 0.135188 0.0593527 0.125469 0.136559 0.193589
0.103871 0.201249 0.0670984 0.10384 0.0863804 0.124189 0.105275 0.208097
ROWMAX_EOD
$r2c2 << ROWMAX_EOD
0.0810608 0.150763 0.220279 0.081108 0.148043 0.114567 0.0811724 0.123008
0.0916249 0.128306 0.214834 0.0916321 0.118577 0.113973 0.0916699 0.149382
0.101521 0.122062 0.181673 0.101466 0.127226 0.113129 0.1015 0.151422
0.0810751 0.150747 0.220282 0.0811224 0.148033 0.114547 0.0811867 0.123007
0.106447 0.120963 0.205233 0.106474 0.106322 0.0942203 0.106489 0.153852
0.0900236 0.127755 0.199568 0.0900185 0.133671 0.11726 0.0900916 0.151612
0.0810648 0.150748 0.220303 0.0811121 0.148003 0.114548 0.0811764 0.123045
0.0951788 0.135977 0.217807 0.0952531 0.125447 0.0952856 0.095291 0.139759
ROWMAX_EOD
set label 'The same recipe on three corpora' at screen 0.02200, screen 0.96784 left font FONT.' Bold,30' textcolor rgb 0x26323C
set label 'Attention weights of seed 1. Each line is a query; its weights over the keys, left to right, sum to 1.' at screen 0.02200, screen 0.93311 left font FONT.',19' textcolor rgb 0x5A666F
set label 'Shades follow the square root of a weight, so that small weights can be told apart.' at screen 0.02200, screen 0.91124 left font FONT.',19' textcolor rgb 0x5A666F
set label 'Guards: none' at screen 0.09500, screen 0.84305 left font FONT.' Bold,19' textcolor rgb 0x26323C
set label 'Guards: init + scale' at screen 0.09500, screen 0.58005 left font FONT.' Bold,19' textcolor rgb 0x26323C
set label 'Guards: init + scale + norm' at screen 0.09500, screen 0.31704 left font FONT.' Bold,19' textcolor rgb 0x26323C
set label 'demo' at screen 0.09500, screen 0.87007 left font FONT.' Bold,23' textcolor rgb 0x0072B2
set label 'kitchen' at screen 0.36733, screen 0.87007 left font FONT.' Bold,23' textcolor rgb 0x0072B2
set label 'harbour' at screen 0.63967, screen 0.87007 left font FONT.' Bold,23' textcolor rgb 0x0072B2

# row 1, column 1
set lmargin at screen 0.09500
set rmargin at screen 0.34733
set tmargin at screen 0.81089
set bmargin at screen 0.60963
set label 'mean row-max 1.00' at screen 0.09500, screen 0.82376 left font FONT.',16' textcolor rgb 0x5A666F
set colorbox user origin screen 0.91200, screen 0.60963 size screen 0.01200, screen 0.20126 noborder
set cbtics ('0' 0, '0.01' 0.1, '0.05' sqrt(0.05), '0.1' sqrt(0.1), '0.25' 0.5, '0.5' sqrt(0.5), '1' 1) scale 0.4 offset -0.6,0 font FONT.',16'
set cblabel 'attention weight' offset -0.6,0 font FONT.',17' textcolor rgb 0x26323C
set xrange [-0.5:7.5]
set yrange [7.5:-0.5]
unset xtics
unset ytics
set ytics scale 0 offset 0.6,0 font FONT.',15' textcolor rgb 0x26323C ('the' 0, 'cat' 1, 'chased' 2, 'the' 3, 'mouse' 4, 'across' 5, 'the' 6, 'garden' 7)
do for [k=1:7] {
  set arrow from first k-0.5, graph 0 to first k-0.5, graph 1 nohead front linewidth 0.7 linecolor rgb 'white'
  set arrow from graph 0, first k-0.5 to graph 1, first k-0.5 nohead front linewidth 0.7 linecolor rgb 'white'
}
plot $r0c0 matrix using 1:2:(sqrt($3)) with @IMAGE, \
     $r0c0 matrix using 1:2:(cell($3)):(shade($3)) with labels font FONT.',13' textcolor rgb variable
unset colorbox
unset cblabel
unset label
unset arrow

# row 1, column 2
set lmargin at screen 0.36733
set rmargin at screen 0.61967
set tmargin at screen 0.81089
set bmargin at screen 0.60963
set label 'mean row-max 1.00' at screen 0.36733, screen 0.82376 left font FONT.',16' textcolor rgb 0x5A666F
set xrange [-0.5:7.5]
set yrange [7.5:-0.5]
unset xtics
unset ytics
do for [k=1:7] {
  set arrow from first k-0.5, graph 0 to first k-0.5, graph 1 nohead front linewidth 0.7 linecolor rgb 'white'
  set arrow from graph 0, first k-0.5 to graph 1, first k-0.5 nohead front linewidth 0.7 linecolor rgb 'white'
}
plot $r0c1 matrix using 1:2:(sqrt($3)) with @IMAGE, \
     $r0c1 matrix using 1:2:(cell($3)):(shade($3)) with labels font FONT.',13' textcolor rgb variable
unset colorbox
unset cblabel
unset label
unset arrow

# row 1, column 3
set lmargin at screen 0.63967
set rmargin at screen 0.89200
set tmargin at screen 0.81089
set bmargin at screen 0.60963
set label 'mean row-max 1.00' at screen 0.63967, screen 0.82376 left font FONT.',16' textcolor rgb 0x5A666F
set xrange [-0.5:7.5]
set yrange [7.5:-0.5]
unset xtics
unset ytics
do for [k=1:7] {
  set arrow from first k-0.5, graph 0 to first k-0.5, graph 1 nohead front linewidth 0.7 linecolor rgb 'white'
  set arrow from graph 0, first k-0.5 to graph 1, first k-0.5 nohead front linewidth 0.7 linecolor rgb 'white'
}
plot $r0c2 matrix using 1:2:(sqrt($3)) with @IMAGE, \
     $r0c2 matrix using 1:2:(cell($3)):(shade($3)) with labels font FONT.',13' textcolor rgb variable
unset colorbox
unset cblabel
unset label
unset arrow

# row 2, column 1
set lmargin at screen 0.09500
set rmargin at screen 0.34733
set tmargin at screen 0.54789
set bmargin at screen 0.34663
set label 'mean row-max 0.443' at screen 0.09500, screen 0.56075 left font FONT.',16' textcolor rgb 0x5A666F
set xrange [-0.5:7.5]
set yrange [7.5:-0.5]
unset xtics
unset ytics
set ytics scale 0 offset 0.6,0 font FONT.',15' textcolor rgb 0x26323C ('the' 0, 'cat' 1, 'chased' 2, 'the' 3, 'mouse' 4, 'across' 5, 'the' 6, 'garden' 7)
do for [k=1:7] {
  set arrow from first k-0.5, graph 0 to first k-0.5, graph 1 nohead front linewidth 0.7 linecolor rgb 'white'
  set arrow from graph 0, first k-0.5 to graph 1, first k-0.5 nohead front linewidth 0.7 linecolor rgb 'white'
}
plot $r1c0 matrix using 1:2:(sqrt($3)) with @IMAGE, \
     $r1c0 matrix using 1:2:(cell($3)):(shade($3)) with labels font FONT.',13' textcolor rgb variable
unset colorbox
unset cblabel
unset label
unset arrow

# row 2, column 2
set lmargin at screen 0.36733
set rmargin at screen 0.61967
set tmargin at screen 0.54789
set bmargin at screen 0.34663
set label 'mean row-max 0.635' at screen 0.36733, screen 0.56075 left font FONT.',16' textcolor rgb 0x5A666F
set xrange [-0.5:7.5]
set yrange [7.5:-0.5]
unset xtics
unset ytics
do for [k=1:7] {
  set arrow from first k-0.5, graph 0 to first k-0.5, graph 1 nohead front linewidth 0.7 linecolor rgb 'white'
  set arrow from graph 0, first k-0.5 to graph 1, first k-0.5 nohead front linewidth 0.7 linecolor rgb 'white'
}
plot $r1c1 matrix using 1:2:(sqrt($3)) with @IMAGE, \
     $r1c1 matrix using 1:2:(cell($3)):(shade($3)) with labels font FONT.',13' textcolor rgb variable
unset colorbox
unset cblabel
unset label
unset arrow

# row 2, column 3
set lmargin at screen 0.63967
set rmargin at screen 0.89200
set tmargin at screen 0.54789
set bmargin at screen 0.34663
set label 'mean row-max 0.728' at screen 0.63967, screen 0.56075 left font FONT.',16' textcolor rgb 0x5A666F
set xrange [-0.5:7.5]
set yrange [7.5:-0.5]
unset xtics
unset ytics
do for [k=1:7] {
  set arrow from first k-0.5, graph 0 to first k-0.5, graph 1 nohead front linewidth 0.7 linecolor rgb 'white'
  set arrow from graph 0, first k-0.5 to graph 1, first k-0.5 nohead front linewidth 0.7 linecolor rgb 'white'
}
plot $r1c2 matrix using 1:2:(sqrt($3)) with @IMAGE, \
     $r1c2 matrix using 1:2:(cell($3)):(shade($3)) with labels font FONT.',13' textcolor rgb variable
unset colorbox
unset cblabel
unset label
unset arrow

# row 3, column 1
set lmargin at screen 0.09500
set rmargin at screen 0.34733
set tmargin at screen 0.28488
set bmargin at screen 0.08362
set label 'mean row-max 0.205' at screen 0.09500, screen 0.29774 left font FONT.',16' textcolor rgb 0x5A666F
set xrange [-0.5:7.5]
set yrange [7.5:-0.5]
unset xtics
unset ytics
set ytics scale 0 offset 0.6,0 font FONT.',15' textcolor rgb 0x26323C ('the' 0, 'cat' 1, 'chased' 2, 'the' 3, 'mouse' 4, 'across' 5, 'the' 6, 'garden' 7)
set xtics scale 0 rotate by 35 right offset 0.4,0.2 font FONT.',15' textcolor rgb 0x26323C ('the' 0, 'cat' 1, 'chased' 2, 'the' 3, 'mouse' 4, 'across' 5, 'the' 6, 'garden' 7)
do for [k=1:7] {
  set arrow from first k-0.5, graph 0 to first k-0.5, graph 1 nohead front linewidth 0.7 linecolor rgb 'white'
  set arrow from graph 0, first k-0.5 to graph 1, first k-0.5 nohead front linewidth 0.7 linecolor rgb 'white'
}
plot $r2c0 matrix using 1:2:(sqrt($3)) with @IMAGE, \
     $r2c0 matrix using 1:2:(cell($3)):(shade($3)) with labels font FONT.',13' textcolor rgb variable
unset colorbox
unset cblabel
unset label
unset arrow

# row 3, column 2
set lmargin at screen 0.36733
set rmargin at screen 0.61967
set tmargin at screen 0.28488
set bmargin at screen 0.08362
set label 'mean row-max 0.214' at screen 0.36733, screen 0.29774 left font FONT.',16' textcolor rgb 0x5A666F
set xrange [-0.5:7.5]
set yrange [7.5:-0.5]
unset xtics
unset ytics
set xtics scale 0 rotate by 35 right offset 0.4,0.2 font FONT.',15' textcolor rgb 0x26323C ('the' 0, 'cat' 1, 'chased' 2, 'the' 3, 'mouse' 4, 'across' 5, 'the' 6, 'garden' 7)
do for [k=1:7] {
  set arrow from first k-0.5, graph 0 to first k-0.5, graph 1 nohead front linewidth 0.7 linecolor rgb 'white'
  set arrow from graph 0, first k-0.5 to graph 1, first k-0.5 nohead front linewidth 0.7 linecolor rgb 'white'
}
plot $r2c1 matrix using 1:2:(sqrt($3)) with @IMAGE, \
     $r2c1 matrix using 1:2:(cell($3)):(shade($3)) with labels font FONT.',13' textcolor rgb variable
unset colorbox
unset cblabel
unset label
unset arrow

# row 3, column 3
set lmargin at screen 0.63967
set rmargin at screen 0.89200
set tmargin at screen 0.28488
set bmargin at screen 0.08362
set label 'mean row-max 0.210' at screen 0.63967, screen 0.29774 left font FONT.',16' textcolor rgb 0x5A666F
set xrange [-0.5:7.5]
set yrange [7.5:-0.5]
unset xtics
unset ytics
set xtics scale 0 rotate by 35 right offset 0.4,0.2 font FONT.',15' textcolor rgb 0x26323C ('the' 0, 'cat' 1, 'chased' 2, 'the' 3, 'mouse' 4, 'across' 5, 'the' 6, 'garden' 7)
do for [k=1:7] {
  set arrow from first k-0.5, graph 0 to first k-0.5, graph 1 nohead front linewidth 0.7 linecolor rgb 'white'
  set arrow from graph 0, first k-0.5 to graph 1, first k-0.5 nohead front linewidth 0.7 linecolor rgb 'white'
}
plot $r2c2 matrix using 1:2:(sqrt($3)) with @IMAGE, \
     $r2c2 matrix using 1:2:(cell($3)):(shade($3)) with labels font FONT.',13' textcolor rgb variable
unset colorbox
unset cblabel
unset label
unset arrow
unset multiplot
unset output
