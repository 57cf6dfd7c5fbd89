# rowmax 0.1.0, sweep scale-guards, SHA-256 of the sweep 312dfcf7971bdf5c671147658684fd262a1b3559d20b141cde4637cbbe26f818
# Measurement and theory
# Written by rowmax; to draw it again: gnuplot -d theory.gp
# In another format: gnuplot -d -e "FORMAT='svg'" theory.gp (png, svg, pdf)
# In another file: gnuplot -d -e "OUT='copy.svg'" theory.gp (its ending tells the format)
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
if (!exists('OUT')) OUT = 'theory.'.FORMAT
FONT = 'DejaVu Sans'
set encoding utf8
PS = 1
if (FORMAT eq 'svg') {
  set terminal svg noenhanced size 2000,1208 dynamic font FONT.',20' fontscale 1.33 linewidth 1.6 background rgb 'white'
  PS = 0.56
} else { if (FORMAT eq 'pdf') {
  set terminal pdfcairo noenhanced size 10in,6.040in font FONT.',20' fontscale 0.3600 linewidth 0.5760 pointscale 0.3600 background rgb 'white'
} else {
  set terminal pngcairo noenhanced size 2000,1208 font FONT.',20' linewidth 1.6 background rgb 'white'
} }
set output OUT
set border 3 linecolor rgb 0x8A949C linewidth 1
set tics nomirror out scale 0.6 textcolor rgb 0x26323C font FONT.',17'
set grid ytics back linecolor rgb 0xE3E7EA linewidth 1 linetype 1
set style fill transparent solid 0.18 noborder
unset key
unset colorbox
set multiplot
# marks: score spread in a row; then mean, low, high of row-max and of the gradient left; shape
$k0 << ROWMAX_EOD
1774.01276	0.998591238	0.992318489	0.999742965	0.00240231673	0.000480913591	0.0119088742	0
251745.6	0.99997025	0.999787501	0.999995836	6.7518338e-05	9.45565494e-06	0.000481944532	1
22024464	0.999405298	0.99544121	0.999922688	0.00115237054	0.00014971199	0.00881090894	2
ROWMAX_EOD
$k1 << ROWMAX_EOD
27.7189494	0.858126252	0.832896542	0.883355961	0.230401459	0.194417048	0.26638587	0
3933.52499	0.913180578	0.888855513	0.937505644	0.14070527	0.104881637	0.176528904	1
344132.25	0.976461577	0.966277778	0.986645377	0.0400699458	0.023666487	0.0564734046	2
ROWMAX_EOD
$k2 << ROWMAX_EOD
221.751595	0.986538327	0.979258023	0.993818632	0.0230204877	0.0118443343	0.0341966411	0
31468.1999	0.99139945	0.985985962	0.996812939	0.0159864732	0.00651208303	0.0254608633	1
2753058	0.997587024	0.989302927	0.999459204	0.00363827756	0.000990003918	0.0132765718	2
ROWMAX_EOD
$k3 << ROWMAX_EOD
3.46486868	0.435183993	0.407012485	0.463355501	0.767245079	0.736436385	0.798053773	0
491.690624	0.640096093	0.614492294	0.665699892	0.495362565	0.464253537	0.526471594	1
43016.5313	0.869319058	0.837734644	0.900903473	0.196631633	0.151105378	0.242157888	2
ROWMAX_EOD
$k4 << ROWMAX_EOD
265.607683	0.993081608	0.987723818	0.998439397	0.0111388289	0.00297910102	0.0192985567	0
233.770332	0.973708701	0.953752211	0.993665191	0.0434778993	0.0136073347	0.0733484639	1
158.152369	0.846960415	0.763527441	0.930393388	0.208540638	0.0973918896	0.319689386	2
ROWMAX_EOD
$k5 << ROWMAX_EOD
4.15012004	0.701665453	0.644741134	0.758589771	0.454376774	0.377853175	0.530900373	0
3.65266143	0.651245224	0.588099069	0.714391379	0.496670451	0.422671283	0.57066962	1
2.47113077	0.535905432	0.463182029	0.608628835	0.635748841	0.562151155	0.709346528	2
ROWMAX_EOD
$k6 << ROWMAX_EOD
33.2009603	0.96011146	0.94425878	0.975964141	0.0654983648	0.0401602172	0.0908365125	0
29.2212915	0.87225209	0.814810371	0.929693808	0.180777857	0.103800074	0.25775564	1
19.7690461	0.77738006	0.67978445	0.874975671	0.278892868	0.165955821	0.391829914	2
ROWMAX_EOD
$k7 << ROWMAX_EOD
0.518765005	0.243794802	0.22433275	0.263256854	0.956972116	0.947501674	0.966442558	0
0.456582679	0.222984582	0.205209988	0.240759177	0.966640433	0.957202975	0.976077891	1
0.308891346	0.185769941	0.17696344	0.194576443	0.984886323	0.981096831	0.988675815	2
ROWMAX_EOD
# theory: score spread, row-max, gradient left
$n0 << ROWMAX_EOD
0.114064568	0.146424183	0.998371076
0.12067602	0.147733994	0.998176435
0.127670688	0.149127664	0.997958494
0.135070783	0.150610958	0.997714454
0.142899805	0.152190078	0.997441178
0.151182616	0.153871689	0.997135147
0.159945518	0.155662964	0.996792419
0.169216339	0.157571618	0.996408571
0.179024518	0.159605952	0.995978643
0.215955414	0.167402315	0.994139231
0.26050477	0.177084835	0.9914538
0.314244194	0.189146505	0.98753021
0.379069502	0.204205423	0.98179534
0.457267597	0.223016951	0.973419668
0.551597146	0.246460849	0.961230048
0.665385899	0.275474963	0.943643982
0.802648088	0.310900266	0.918706218
0.968226039	0.35321984	0.884352124
1.167961	0.402237831	0.838980498
1.4088992	0.456836511	0.782214387
1.69954045	0.514987005	0.715461778
2.05013797	0.574088155	0.641858922
2.4730601	0.631512337	0.565534358
2.98322668	0.685112918	0.490577918
3.59863531	0.733500179	0.420221195
4.34099634	0.77605181	0.356492295
5.23649872	0.812749964	0.300290888
6.31673394	0.843964788	0.251678049
7.61981044	0.870264963	0.210197401
9.19169806	0.892284891	0.175132666
11.0878498	0.910645747	0.145679645
13.3751578	0.92591569	0.12104629
16.1343137	0.93859444	0.100503317
19.4626548	0.949111321	0.0834047101
23.4775981	0.957829908	0.0691915088
28.3207823	0.965055369	0.0573871672
34.1630651	0.971042448	0.0475892383
41.21055	0.976003075	0.0394599459
49.7118578	0.980113204	0.0327169449
59.966897	0.98351874	0.0271248625
72.337444	0.98634059	0.022487838
87.2599062	0.988678908	0.0186430883
105.260717	0.990616646	0.0154554326
126.974908	0.992222505	0.0128126745
153.168511	0.993553386	0.0106217288
184.765581	0.994656417	0.00880538664
222.880798	0.99557064	0.00729961817
268.858789	0.996328395	0.0060513298
324.32156	0.996956478	0.00501649973
1475.87265	0.999331355	0.0011023791
6716.17413	0.999853074	0.000242246809
30562.9317	0.999967714	5.32334984e-05
139081.086	0.999992905	1.16980088e-05
632908.806	0.999998441	2.57062592e-06
2880144	0.999999657	5.64892512e-07
13106516.1	0.999999925	1.24134573e-07
59643116.6	0.999999983	2.72784501e-08
ROWMAX_EOD
# its onset, saturated and collapsed spread: the same columns
$t0 << ROWMAX_EOD
0.895122592	0.334660103	0.9
2.91225624	0.67850214	0.5
16.216078	0.938904474	0.1
ROWMAX_EOD
set label 'The same recipe on three corpora' at screen 0.02200, screen 0.95861 left font FONT.' Bold,30' textcolor rgb 0x26323C
set label 'Measurement and theory. Marks: settings of the sweep, 32 seeds a point; bars are 95 % intervals of the mean.' at screen 0.02200, screen 0.91391 left font FONT.',19' textcolor rgb 0x5A666F
set label 'Curves: what rows of independent normal scores of the same spread show on average.' at screen 0.02200, screen 0.88576 left font FONT.',19' textcolor rgb 0x5A666F
set label 'Dotted, for n = 8: where 10, 50 and 90 % of the gradient of uniform weights are gone.' at screen 0.02200, screen 0.85762 left font FONT.',19' textcolor rgb 0x5A666F
set arrow from screen 0.02200, screen 0.81623 to screen 0.05200, screen 0.81623 nohead linewidth 2.2 linecolor rgb 0x26323C
set label 'theory, n = 8' at screen 0.06000, screen 0.81623 left font FONT.',19' textcolor rgb 0x26323C
set arrow from screen 0.16611, screen 0.81623 to screen 0.17811, screen 0.81623 nohead linewidth 8 linecolor rgb 0xD55E00
set label 'none' at screen 0.18611, screen 0.81623 left font FONT.',19' textcolor rgb 0x26323C
set arrow from screen 0.23965, screen 0.81623 to screen 0.25165, screen 0.81623 nohead linewidth 8 linecolor rgb 0xCC79A7
set label 'init' at screen 0.25965, screen 0.81623 left font FONT.',19' textcolor rgb 0x26323C
set arrow from screen 0.30166, screen 0.81623 to screen 0.31366, screen 0.81623 nohead linewidth 8 linecolor rgb 0x009E73
set label 'scale' at screen 0.32166, screen 0.81623 left font FONT.',19' textcolor rgb 0x26323C
set arrow from screen 0.37634, screen 0.81623 to screen 0.38834, screen 0.81623 nohead linewidth 8 linecolor rgb 0x0072B2
set label 'init + scale' at screen 0.39634, screen 0.81623 left font FONT.',19' textcolor rgb 0x26323C
set arrow from screen 0.48978, screen 0.81623 to screen 0.50178, screen 0.81623 nohead linewidth 8 linecolor rgb 0x7A7A7A
set label 'norm' at screen 0.50978, screen 0.81623 left font FONT.',19' textcolor rgb 0x26323C
set arrow from screen 0.56497, screen 0.81623 to screen 0.57697, screen 0.81623 nohead linewidth 8 linecolor rgb 0x56B4E9
set label 'init + norm' at screen 0.58497, screen 0.81623 left font FONT.',19' textcolor rgb 0x26323C
set arrow from screen 0.67891, screen 0.81623 to screen 0.69091, screen 0.81623 nohead linewidth 8 linecolor rgb 0x404040
set label 'scale + norm' at screen 0.69891, screen 0.81623 left font FONT.',19' textcolor rgb 0x26323C
set arrow from screen 0.16611, screen 0.78311 to screen 0.17811, screen 0.78311 nohead linewidth 8 linecolor rgb 0xE69F00
set label 'init + scale + norm' at screen 0.18611, screen 0.78311 left font FONT.',19' textcolor rgb 0x26323C
set label 'Corpus:' at screen 0.02200, screen 0.75000 left font FONT.',19' textcolor rgb 0x5A666F
set label '' at screen 0.09164, screen 0.75000 point pointtype 7 pointsize 1.5*PS linecolor rgb 0x26323C front
set label 'demo' at screen 0.10564, screen 0.75000 left font FONT.',19' textcolor rgb 0x26323C
set label '' at screen 0.16949, screen 0.75000 point pointtype 5 pointsize 1.35*PS linecolor rgb 0x26323C front
set label 'kitchen' at screen 0.18349, screen 0.75000 left font FONT.',19' textcolor rgb 0x26323C
set label '' at screen 0.25810, screen 0.75000 point pointtype 9 pointsize 1.75*PS linecolor rgb 0x26323C front
set label 'harbour' at screen 0.27210, screen 0.75000 left font FONT.',19' textcolor rgb 0x26323C

# Mean row-max
set lmargin at screen 0.07500
set rmargin at screen 0.40000
set tmargin at screen 0.56623
set bmargin at screen 0.10265
set label 'Mean row-max' at screen 0.07500, screen 0.69454 left font FONT.' Bold,20' textcolor rgb 0x26323C
set label 'largest weight of a row; 1 is one-hot' at screen 0.07500, screen 0.67053 left font FONT.',16' textcolor rgb 0x5A666F
set label 'score spread in a row' at screen 0.23750, screen 0.04139 center font FONT.',18' textcolor rgb 0x26323C
unset logscale y
set yrange [0:1.03]
set ytics ('0.0' 0, '0.2' 0.2, '0.4' 0.4, '0.6' 0.6, '0.8' 0.8, '1.0' 1)
unset logscale x
set xrange [0.1140645681:59643116.59]
set logscale x
set xtics ('1' 1, '10²' 100, '10⁴' 10000, '10⁶' 1000000)
set arrow from first 0.895122592, graph 0 to first 0.895122592, graph 1.17500 nohead back dashtype (3,5) linewidth 1.6 linecolor rgb 0x5A666F
set label 'gradient −10 %: 0.895' at first 0.895122592, graph 1.15089 left offset 0.7,0 font FONT.',16' textcolor rgb 0x5A666F
set arrow from first 2.91225624, graph 0 to first 2.91225624, graph 1.12143 nohead back dashtype (3,5) linewidth 1.6 linecolor rgb 0x5A666F
set label 'gradient −50 %: 2.91' at first 2.91225624, graph 1.09732 left offset 0.7,0 font FONT.',16' textcolor rgb 0x5A666F
set arrow from first 16.216078, graph 0 to first 16.216078, graph 1.06786 nohead back dashtype (3,5) linewidth 1.6 linecolor rgb 0x5A666F
set label 'gradient −90 %: 16.2' at first 16.216078, graph 1.04375 left offset 0.7,0 font FONT.',16' textcolor rgb 0x5A666F
plot $n0 using 1:2 with lines linewidth 2.2 linecolor rgb 0x26323C notitle, \
     $t0 using 1:($2-0.016):(0):(0.032) with vectors nohead linewidth 2.2 linecolor rgb 0x26323C notitle, \
     $k0 using 1:2:3:4 with yerrorbars pointtype -1 linewidth 1.6 linecolor rgb 0xD55E00 notitle, \
     $k0 using 1:($8==0?$2:NaN) with points pointtype 7 pointsize 1.275*PS linewidth 1.6 linecolor rgb 0xD55E00 notitle, \
     $k0 using 1:($8==1?$2:NaN) with points pointtype 5 pointsize 1.1475*PS linewidth 1.6 linecolor rgb 0xD55E00 notitle, \
     $k0 using 1:($8==2?$2:NaN) with points pointtype 9 pointsize 1.4875*PS linewidth 1.6 linecolor rgb 0xD55E00 notitle, \
     $k1 using 1:2:3:4 with yerrorbars pointtype -1 linewidth 1.6 linecolor rgb 0xCC79A7 notitle, \
     $k1 using 1:($8==0?$2:NaN) with points pointtype 7 pointsize 1.275*PS linewidth 1.6 linecolor rgb 0xCC79A7 notitle, \
     $k1 using 1:($8==1?$2:NaN) with points pointtype 5 pointsize 1.1475*PS linewidth 1.6 linecolor rgb 0xCC79A7 notitle, \
     $k1 using 1:($8==2?$2:NaN) with points pointtype 9 pointsize 1.4875*PS linewidth 1.6 linecolor rgb 0xCC79A7 notitle, \
     $k2 using 1:2:3:4 with yerrorbars pointtype -1 linewidth 1.6 linecolor rgb 0x009E73 notitle, \
     $k2 using 1:($8==0?$2:NaN) with points pointtype 7 pointsize 1.275*PS linewidth 1.6 linecolor rgb 0x009E73 notitle, \
     $k2 using 1:($8==1?$2:NaN) with points pointtype 5 pointsize 1.1475*PS linewidth 1.6 linecolor rgb 0x009E73 notitle, \
     $k2 using 1:($8==2?$2:NaN) with points pointtype 9 pointsize 1.4875*PS linewidth 1.6 linecolor rgb 0x009E73 notitle, \
     $k3 using 1:2:3:4 with yerrorbars pointtype -1 linewidth 1.6 linecolor rgb 0x0072B2 notitle, \
     $k3 using 1:($8==0?$2:NaN) with points pointtype 7 pointsize 1.275*PS linewidth 1.6 linecolor rgb 0x0072B2 notitle, \
     $k3 using 1:($8==1?$2:NaN) with points pointtype 5 pointsize 1.1475*PS linewidth 1.6 linecolor rgb 0x0072B2 notitle, \
     $k3 using 1:($8==2?$2:NaN) with points pointtype 9 pointsize 1.4875*PS linewidth 1.6 linecolor rgb 0x0072B2 notitle, \
     $k4 using 1:2:3:4 with yerrorbars pointtype -1 linewidth 1.6 linecolor rgb 0x7A7A7A notitle, \
     $k4 using 1:($8==0?$2:NaN) with points pointtype 7 pointsize 1.275*PS linewidth 1.6 linecolor rgb 0x7A7A7A notitle, \
     $k4 using 1:($8==1?$2:NaN) with points pointtype 5 pointsize 1.1475*PS linewidth 1.6 linecolor rgb 0x7A7A7A notitle, \
     $k4 using 1:($8==2?$2:NaN) with points pointtype 9 pointsize 1.4875*PS linewidth 1.6 linecolor rgb 0x7A7A7A notitle, \
     $k5 using 1:2:3:4 with yerrorbars pointtype -1 linewidth 1.6 linecolor rgb 0x56B4E9 notitle, \
     $k5 using 1:($8==0?$2:NaN) with points pointtype 7 pointsize 1.275*PS linewidth 1.6 linecolor rgb 0x56B4E9 notitle, \
     $k5 using 1:($8==1?$2:NaN) with points pointtype 5 pointsize 1.1475*PS linewidth 1.6 linecolor rgb 0x56B4E9 notitle, \
     $k5 using 1:($8==2?$2:NaN) with points pointtype 9 pointsize 1.4875*PS linewidth 1.6 linecolor rgb 0x56B4E9 notitle, \
     $k6 using 1:2:3:4 with yerrorbars pointtype -1 linewidth 1.6 linecolor rgb 0x404040 notitle, \
     $k6 using 1:($8==0?$2:NaN) with points pointtype 7 pointsize 1.275*PS linewidth 1.6 linecolor rgb 0x404040 notitle, \
     $k6 using 1:($8==1?$2:NaN) with points pointtype 5 pointsize 1.1475*PS linewidth 1.6 linecolor rgb 0x404040 notitle, \
     $k6 using 1:($8==2?$2:NaN) with points pointtype 9 pointsize 1.4875*PS linewidth 1.6 linecolor rgb 0x404040 notitle, \
     $k7 using 1:2:3:4 with yerrorbars pointtype -1 linewidth 1.6 linecolor rgb 0xE69F00 notitle, \
     $k7 using 1:($8==0?$2:NaN) with points pointtype 7 pointsize 1.275*PS linewidth 1.6 linecolor rgb 0xE69F00 notitle, \
     $k7 using 1:($8==1?$2:NaN) with points pointtype 5 pointsize 1.1475*PS linewidth 1.6 linecolor rgb 0xE69F00 notitle, \
     $k7 using 1:($8==2?$2:NaN) with points pointtype 9 pointsize 1.4875*PS linewidth 1.6 linecolor rgb 0xE69F00 notitle
unset label
unset arrow

# Gradient left
set lmargin at screen 0.55500
set rmargin at screen 0.88000
set tmargin at screen 0.56623
set bmargin at screen 0.10265
set label 'Gradient left' at screen 0.55500, screen 0.69454 left font FONT.' Bold,20' textcolor rgb 0x26323C
set label 'normalised trace of the softmax Jacobian; 1 is uniform' at screen 0.55500, screen 0.67053 left font FONT.',16' textcolor rgb 0x5A666F
set label 'score spread in a row' at screen 0.71750, screen 0.04139 center font FONT.',18' textcolor rgb 0x26323C
unset logscale y
set yrange [0:1.03]
set ytics ('0.0' 0, '0.2' 0.2, '0.4' 0.4, '0.6' 0.6, '0.8' 0.8, '1.0' 1)
unset logscale x
set xrange [0.1140645681:59643116.59]
set logscale x
set xtics ('1' 1, '10²' 100, '10⁴' 10000, '10⁶' 1000000)
set arrow from first 0.895122592, graph 0 to first 0.895122592, graph 1.17500 nohead back dashtype (3,5) linewidth 1.6 linecolor rgb 0x5A666F
set label 'gradient −10 %: 0.895' at first 0.895122592, graph 1.15089 left offset 0.7,0 font FONT.',16' textcolor rgb 0x5A666F
set arrow from first 2.91225624, graph 0 to first 2.91225624, graph 1.12143 nohead back dashtype (3,5) linewidth 1.6 linecolor rgb 0x5A666F
set label 'gradient −50 %: 2.91' at first 2.91225624, graph 1.09732 left offset 0.7,0 font FONT.',16' textcolor rgb 0x5A666F
set arrow from first 16.216078, graph 0 to first 16.216078, graph 1.06786 nohead back dashtype (3,5) linewidth 1.6 linecolor rgb 0x5A666F
set label 'gradient −90 %: 16.2' at first 16.216078, graph 1.04375 left offset 0.7,0 font FONT.',16' textcolor rgb 0x5A666F
plot $n0 using 1:3 with lines linewidth 2.2 linecolor rgb 0x26323C notitle, \
     $t0 using 1:($3-0.016):(0):(0.032) with vectors nohead linewidth 2.2 linecolor rgb 0x26323C notitle, \
     $k0 using 1:5:6:7 with yerrorbars pointtype -1 linewidth 1.6 linecolor rgb 0xD55E00 notitle, \
     $k0 using 1:($8==0?$5:NaN) with points pointtype 7 pointsize 1.275*PS linewidth 1.6 linecolor rgb 0xD55E00 notitle, \
     $k0 using 1:($8==1?$5:NaN) with points pointtype 5 pointsize 1.1475*PS linewidth 1.6 linecolor rgb 0xD55E00 notitle, \
     $k0 using 1:($8==2?$5:NaN) with points pointtype 9 pointsize 1.4875*PS linewidth 1.6 linecolor rgb 0xD55E00 notitle, \
     $k1 using 1:5:6:7 with yerrorbars pointtype -1 linewidth 1.6 linecolor rgb 0xCC79A7 notitle, \
     $k1 using 1:($8==0?$5:NaN) with points pointtype 7 pointsize 1.275*PS linewidth 1.6 linecolor rgb 0xCC79A7 notitle, \
     $k1 using 1:($8==1?$5:NaN) with points pointtype 5 pointsize 1.1475*PS linewidth 1.6 linecolor rgb 0xCC79A7 notitle, \
     $k1 using 1:($8==2?$5:NaN) with points pointtype 9 pointsize 1.4875*PS linewidth 1.6 linecolor rgb 0xCC79A7 notitle, \
     $k2 using 1:5:6:7 with yerrorbars pointtype -1 linewidth 1.6 linecolor rgb 0x009E73 notitle, \
     $k2 using 1:($8==0?$5:NaN) with points pointtype 7 pointsize 1.275*PS linewidth 1.6 linecolor rgb 0x009E73 notitle, \
     $k2 using 1:($8==1?$5:NaN) with points pointtype 5 pointsize 1.1475*PS linewidth 1.6 linecolor rgb 0x009E73 notitle, \
     $k2 using 1:($8==2?$5:NaN) with points pointtype 9 pointsize 1.4875*PS linewidth 1.6 linecolor rgb 0x009E73 notitle, \
     $k3 using 1:5:6:7 with yerrorbars pointtype -1 linewidth 1.6 linecolor rgb 0x0072B2 notitle, \
     $k3 using 1:($8==0?$5:NaN) with points pointtype 7 pointsize 1.275*PS linewidth 1.6 linecolor rgb 0x0072B2 notitle, \
     $k3 using 1:($8==1?$5:NaN) with points pointtype 5 pointsize 1.1475*PS linewidth 1.6 linecolor rgb 0x0072B2 notitle, \
     $k3 using 1:($8==2?$5:NaN) with points pointtype 9 pointsize 1.4875*PS linewidth 1.6 linecolor rgb 0x0072B2 notitle, \
     $k4 using 1:5:6:7 with yerrorbars pointtype -1 linewidth 1.6 linecolor rgb 0x7A7A7A notitle, \
     $k4 using 1:($8==0?$5:NaN) with points pointtype 7 pointsize 1.275*PS linewidth 1.6 linecolor rgb 0x7A7A7A notitle, \
     $k4 using 1:($8==1?$5:NaN) with points pointtype 5 pointsize 1.1475*PS linewidth 1.6 linecolor rgb 0x7A7A7A notitle, \
     $k4 using 1:($8==2?$5:NaN) with points pointtype 9 pointsize 1.4875*PS linewidth 1.6 linecolor rgb 0x7A7A7A notitle, \
     $k5 using 1:5:6:7 with yerrorbars pointtype -1 linewidth 1.6 linecolor rgb 0x56B4E9 notitle, \
     $k5 using 1:($8==0?$5:NaN) with points pointtype 7 pointsize 1.275*PS linewidth 1.6 linecolor rgb 0x56B4E9 notitle, \
     $k5 using 1:($8==1?$5:NaN) with points pointtype 5 pointsize 1.1475*PS linewidth 1.6 linecolor rgb 0x56B4E9 notitle, \
     $k5 using 1:($8==2?$5:NaN) with points pointtype 9 pointsize 1.4875*PS linewidth 1.6 linecolor rgb 0x56B4E9 notitle, \
     $k6 using 1:5:6:7 with yerrorbars pointtype -1 linewidth 1.6 linecolor rgb 0x404040 notitle, \
     $k6 using 1:($8==0?$5:NaN) with points pointtype 7 pointsize 1.275*PS linewidth 1.6 linecolor rgb 0x404040 notitle, \
     $k6 using 1:($8==1?$5:NaN) with points pointtype 5 pointsize 1.1475*PS linewidth 1.6 linecolor rgb 0x404040 notitle, \
     $k6 using 1:($8==2?$5:NaN) with points pointtype 9 pointsize 1.4875*PS linewidth 1.6 linecolor rgb 0x404040 notitle, \
     $k7 using 1:5:6:7 with yerrorbars pointtype -1 linewidth 1.6 linecolor rgb 0xE69F00 notitle, \
     $k7 using 1:($8==0?$5:NaN) with points pointtype 7 pointsize 1.275*PS linewidth 1.6 linecolor rgb 0xE69F00 notitle, \
     $k7 using 1:($8==1?$5:NaN) with points pointtype 5 pointsize 1.1475*PS linewidth 1.6 linecolor rgb 0xE69F00 notitle, \
     $k7 using 1:($8==2?$5:NaN) with points pointtype 9 pointsize 1.4875*PS linewidth 1.6 linecolor rgb 0xE69F00 notitle
unset label
unset arrow
unset multiplot
unset output
