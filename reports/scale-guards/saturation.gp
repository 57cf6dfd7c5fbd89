# rowmax 0.1.0, sweep scale-guards, SHA-256 of the sweep 312dfcf7971bdf5c671147658684fd262a1b3559d20b141cde4637cbbe26f818
# Where attention saturates
# Written by rowmax; to draw it again: gnuplot -d saturation.gp
# In another format: gnuplot -d -e "FORMAT='svg'" saturation.gp (png, svg, pdf)
# In another file: gnuplot -d -e "OUT='copy.svg'" saturation.gp (its ending tells the format)
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
if (!exists('OUT')) OUT = 'saturation.'.FORMAT
FONT = 'DejaVu Sans'
set encoding utf8
PS = 1
if (FORMAT eq 'svg') {
  set terminal svg noenhanced size 2000,2008 dynamic font FONT.',20' fontscale 1.33 linewidth 1.6 background rgb 'white'
  PS = 0.56
} else { if (FORMAT eq 'pdf') {
  set terminal pdfcairo noenhanced size 10in,10.040in font FONT.',20' fontscale 0.3600 linewidth 0.5760 pointscale 0.3600 background rgb 'white'
} else {
  set terminal pngcairo noenhanced size 2000,2008 font FONT.',20' linewidth 1.6 background rgb 'white'
} }
set output OUT
set border 3 linecolor rgb 0x8A949C linewidth 1
set tics nomirror out scale 0.6 textcolor rgb 0x26323C font FONT.',17'
set grid ytics back linecolor rgb 0xE3E7EA linewidth 1 linetype 1
set style fill transparent solid 0.18 noborder
unset key
unset colorbox
set multiplot
# x, x moved aside; then mean, low, high, mark for 0, pale of: input spread, score spread, mean row-max, gradient magnitude
$c0l0 << ROWMAX_EOD
0	-0.135	2.2931517	2.2931517	2.2931517	NaN	0	2242.5144	1775.40736	2709.62143	NaN	0	0.998591238	0.992318489	0.999742965	NaN	0	0.00209734753	4.04569141e-06	0.00547348089	NaN	1
1	0.865	26.3554934	26.3554934	26.3554934	NaN	0	296953.541	211165.21	382741.871	NaN	0	0.99997025	0.999787501	0.999995836	NaN	0	5.90778955e-05	4.04569141e-06	0.0001752093	NaN	1
2	1.865	243.732132	243.732132	243.732132	NaN	0	25936690.3	19036482.6	32836898.1	NaN	0	0.999405298	0.99544121	0.999922688	NaN	0	0.00100832422	4.04569141e-06	0.00306481496	NaN	1
ROWMAX_EOD
$c0l1 << ROWMAX_EOD
0	-0.045	2.2931517	2.2931517	2.2931517	NaN	0	35.0392874	27.74074	42.3378349	NaN	0	0.858126252	0.832896542	0.883355961	NaN	0	0.164609557	0.138774659	0.190444455	NaN	0
1	0.955	26.3554934	26.3554934	26.3554934	NaN	0	4639.89908	3299.45641	5980.34174	NaN	0	0.913180578	0.888855513	0.937505644	NaN	0	0.10635284	0.0802364111	0.132469268	NaN	0
2	1.955	243.732132	243.732132	243.732132	NaN	0	405260.786	297445.04	513076.532	NaN	0	0.976461577	0.966277778	0.986645377	NaN	0	0.0341396611	0.0200250714	0.0482542508	NaN	0
ROWMAX_EOD
$c0l2 << ROWMAX_EOD
0	0.045	2.2931517	2.2931517	2.2931517	NaN	0	280.314299	221.92592	338.702679	NaN	0	0.986538327	0.979258023	0.993818632	NaN	0	0.0192470973	0.0100084647	0.02848573	NaN	0
1	1.045	26.3554934	26.3554934	26.3554934	NaN	0	37119.1926	26395.6513	47842.7339	NaN	0	0.99139945	0.985985962	0.996812939	NaN	0	0.0132505378	0.00561375948	0.0208873162	NaN	0
2	2.045	243.732132	243.732132	243.732132	NaN	0	3242086.29	2379560.32	4104612.26	NaN	0	0.997587024	0.989302927	0.999459204	NaN	0	0.00318349287	4.04569141e-06	0.00732033389	NaN	1
ROWMAX_EOD
$c0l3 << ROWMAX_EOD
0	0.135	2.2931517	2.2931517	2.2931517	NaN	0	4.37991093	3.4675925	5.29222936	NaN	0	0.435183993	0.407012485	0.463355501	NaN	0	0.380600406	0.366552246	0.394648567	NaN	0
1	1.135	26.3554934	26.3554934	26.3554934	NaN	0	579.987385	412.432052	747.542718	NaN	0	0.640096093	0.614492294	0.665699892	NaN	0	0.299900653	0.278726511	0.321074795	NaN	0
2	2.135	243.732132	243.732132	243.732132	NaN	0	50657.5983	37180.63	64134.5665	NaN	0	0.869319058	0.837734644	0.900903473	NaN	0	0.141434266	0.109958772	0.172909761	NaN	0
ROWMAX_EOD
$c1l0 << ROWMAX_EOD
0	-0.135	0.999994881	0.999994881	0.999994881	NaN	0	345.673624	315.899765	375.447483	NaN	0	0.993081608	0.987723818	0.998439397	NaN	0	0.00970785371	0.00259971738	0.01681599	NaN	0
1	0.865	0.999997579	0.999997579	0.999997579	NaN	0	319.32162	285.843113	352.800128	NaN	0	0.973708701	0.953752211	0.993665191	NaN	0	0.0330816055	0.01092671	0.055236501	NaN	0
2	1.865	0.99999975	0.99999975	0.99999975	NaN	0	204.637089	179.872636	229.401541	NaN	0	0.846960415	0.763527441	0.930393388	NaN	0	0.13347876	0.063048424	0.203909095	NaN	0
ROWMAX_EOD
$c1l1 << ROWMAX_EOD
0	-0.045	0.999994881	0.999994881	0.999994881	NaN	0	5.40115037	4.93593383	5.86636691	NaN	0	0.701665453	0.644741134	0.758589771	NaN	0	0.282616014	0.238506297	0.326725732	NaN	0
1	0.955	0.999997579	0.999997579	0.999997579	NaN	0	4.98940032	4.46629864	5.512502	NaN	0	0.651245224	0.588099069	0.714391379	NaN	0	0.295759994	0.256262948	0.33525704	NaN	0
2	1.955	0.99999975	0.99999975	0.99999975	NaN	0	3.19745451	2.81050994	3.58439908	NaN	0	0.535905432	0.463182029	0.608628835	NaN	0	0.3541172	0.319397221	0.388837179	NaN	0
ROWMAX_EOD
$c1l2 << ROWMAX_EOD
0	0.045	0.999994881	0.999994881	0.999994881	NaN	0	43.209203	39.4874706	46.9309353	NaN	0	0.96011146	0.94425878	0.975964141	NaN	0	0.0526453196	0.0324277756	0.0728628635	NaN	0
1	1.045	0.999997579	0.999997579	0.999997579	NaN	0	39.9152025	35.7303891	44.100016	NaN	0	0.87225209	0.814810371	0.929693808	NaN	0	0.118656319	0.0705219041	0.166790734	NaN	0
2	2.045	0.99999975	0.99999975	0.99999975	NaN	0	25.5796361	22.4840796	28.6751926	NaN	0	0.77738006	0.67978445	0.874975671	NaN	0	0.179134939	0.111230172	0.247039706	NaN	0
ROWMAX_EOD
$c1l3 << ROWMAX_EOD
0	0.135	0.999994881	0.999994881	0.999994881	NaN	0	0.675143797	0.616991729	0.733295864	NaN	0	0.243794802	0.22433275	0.263256854	NaN	0	0.350779741	0.347806059	0.353753423	NaN	0
1	1.135	0.999997579	0.999997579	0.999997579	NaN	0	0.62367504	0.55828733	0.68906275	NaN	0	0.222984582	0.205209988	0.240759177	NaN	0	0.347477631	0.344251422	0.350703839	NaN	0
2	2.135	0.99999975	0.99999975	0.99999975	NaN	0	0.399681814	0.351313743	0.448049885	NaN	0	0.185769941	0.17696344	0.194576443	NaN	0	0.340040818	0.337678766	0.342402871	NaN	0
ROWMAX_EOD
set label 'The same recipe on three corpora' at screen 0.02200, screen 0.97510 left font FONT.' Bold,30' textcolor rgb 0x26323C
set label 'Where attention saturates. 8 tokens, 32 seeds a point; bars are 95 % intervals of the mean.' at screen 0.02200, screen 0.94821 left font FONT.',19' textcolor rgb 0x5A666F
set label 'Guards: init, projections drawn with variance 1/d_model; scale, scores divided by √d_k; norm, each input row normalised.' at screen 0.02200, screen 0.93127 left font FONT.',19' textcolor rgb 0x5A666F
set label 'Pale bars reach down to 0, below any logarithmic axis.' at screen 0.02200, screen 0.91434 left font FONT.',19' textcolor rgb 0x5A666F
set label 'Guards besides norm:' at screen 0.02200, screen 0.88944 left font FONT.',19' textcolor rgb 0x5A666F
set arrow from screen 0.17121, screen 0.88944 to screen 0.20121, screen 0.88944 nohead linewidth 1.2 linecolor rgb 0x90D55E00
set label '' at screen 0.18621, screen 0.88944 point pointtype 7 pointsize 1.5*PS linecolor rgb 0xD55E00 front
set label 'none' at screen 0.20921, screen 0.88944 left font FONT.',19' textcolor rgb 0x26323C
set arrow from screen 0.26275, screen 0.88944 to screen 0.29275, screen 0.88944 nohead linewidth 1.2 linecolor rgb 0x90CC79A7
set label '' at screen 0.27775, screen 0.88944 point pointtype 5 pointsize 1.35*PS linecolor rgb 0xCC79A7 front
set label 'init' at screen 0.30075, screen 0.88944 left font FONT.',19' textcolor rgb 0x26323C
set arrow from screen 0.34276, screen 0.88944 to screen 0.37276, screen 0.88944 nohead linewidth 1.2 linecolor rgb 0x90009E73
set label '' at screen 0.35776, screen 0.88944 point pointtype 9 pointsize 1.75*PS linecolor rgb 0x009E73 front
set label 'scale' at screen 0.38076, screen 0.88944 left font FONT.',19' textcolor rgb 0x26323C
set arrow from screen 0.43544, screen 0.88944 to screen 0.46544, screen 0.88944 nohead linewidth 1.2 linecolor rgb 0x900072B2
set label '' at screen 0.45044, screen 0.88944 point pointtype 13 pointsize 1.85*PS linecolor rgb 0x0072B2 front
set label 'init + scale' at screen 0.47344, screen 0.88944 left font FONT.',19' textcolor rgb 0x26323C
set label '' at screen 0.07500, screen 0.87550 left font FONT.' Bold,20' textcolor rgb 0x0072B2
set label 'Input not normalised' at screen 0.07500, screen 0.85657 left font FONT.' Bold,22' textcolor rgb 0x0072B2
set label 'Input normalised' at screen 0.50750, screen 0.85657 left font FONT.' Bold,22' textcolor rgb 0x0072B2

# Input spread, column 1
set lmargin at screen 0.07500
set rmargin at screen 0.47250
set tmargin at screen 0.80279
set bmargin at screen 0.66335
set label 'Input spread' at screen 0.07500, screen 0.83118 left font FONT.' Bold,20' textcolor rgb 0x26323C
set label 'standard deviation of X as the head reads it; the same for all lines' at screen 0.07500, screen 0.81673 left font FONT.',16' textcolor rgb 0x5A666F
unset logscale y
set yrange [0.6928704284:351.7697891]
set logscale y
set ytics ('1' 1, '10' 10, '100' 100)
unset logscale x
set xrange [-0.5:2.5]
set xtics ('' 0, '' 1, '' 2)
plot $c0l0 using 1:($7==0?$3:NaN):4:5 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0x26323C notitle, \
     $c0l0 using 1:3 with lines linewidth 1.2 linecolor rgb 0x9026323C notitle, \
     $c0l0 using 1:3 with points linewidth 2.6 dashtype solid pointtype 7 pointsize 1.4*PS linecolor rgb 0x26323C notitle
unset label
unset arrow

# Input spread, column 2
set lmargin at screen 0.50750
set rmargin at screen 0.90500
set tmargin at screen 0.80279
set bmargin at screen 0.66335
unset logscale y
set yrange [0.6928704284:351.7697891]
set logscale y
set ytics ('' 1, '' 10, '' 100)
unset logscale x
set xrange [-0.5:2.5]
set xtics ('' 0, '' 1, '' 2)
plot $c1l0 using 1:($7==0?$3:NaN):4:5 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0x26323C notitle, \
     $c1l0 using 1:3 with lines linewidth 1.2 linecolor rgb 0x9026323C notitle, \
     $c1l0 using 1:3 with points linewidth 2.6 dashtype solid pointtype 7 pointsize 1.4*PS linecolor rgb 0x26323C notitle
unset label
unset arrow

# Score spread, column 1
set lmargin at screen 0.07500
set rmargin at screen 0.47250
set tmargin at screen 0.60657
set bmargin at screen 0.46713
set label 'Score spread' at screen 0.07500, screen 0.63496 left font FONT.' Bold,20' textcolor rgb 0x26323C
set label 'standard deviation of all scores' at screen 0.07500, screen 0.62052 left font FONT.',16' textcolor rgb 0x5A666F
unset logscale y
set yrange [0.1279858008:90135417.33]
set logscale y
set ytics ('1' 1, '10²' 100, '10⁴' 10000, '10⁶' 1000000)
unset logscale x
set xrange [-0.5:2.5]
set xtics ('' 0, '' 1, '' 2)
plot $c0l0 using 2:($12==0?$8:NaN):9:10 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0xD55E00 notitle, \
     $c0l0 using 2:8 with lines linewidth 1.2 linecolor rgb 0x90D55E00 notitle, \
     $c0l0 using 2:8 with points linewidth 2.6 dashtype solid pointtype 7 pointsize 1.5*PS linecolor rgb 0xD55E00 notitle, \
     $c0l1 using 2:($12==0?$8:NaN):9:10 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0xCC79A7 notitle, \
     $c0l1 using 2:8 with lines linewidth 1.2 linecolor rgb 0x90CC79A7 notitle, \
     $c0l1 using 2:8 with points linewidth 2.6 dashtype solid pointtype 5 pointsize 1.35*PS linecolor rgb 0xCC79A7 notitle, \
     $c0l2 using 2:($12==0?$8:NaN):9:10 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0x009E73 notitle, \
     $c0l2 using 2:8 with lines linewidth 1.2 linecolor rgb 0x90009E73 notitle, \
     $c0l2 using 2:8 with points linewidth 2.6 dashtype solid pointtype 9 pointsize 1.75*PS linecolor rgb 0x009E73 notitle, \
     $c0l3 using 2:($12==0?$8:NaN):9:10 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0x0072B2 notitle, \
     $c0l3 using 2:8 with lines linewidth 1.2 linecolor rgb 0x900072B2 notitle, \
     $c0l3 using 2:8 with points linewidth 2.6 dashtype solid pointtype 13 pointsize 1.85*PS linecolor rgb 0x0072B2 notitle
unset label
unset arrow

# Score spread, column 2
set lmargin at screen 0.50750
set rmargin at screen 0.90500
set tmargin at screen 0.60657
set bmargin at screen 0.46713
unset logscale y
set yrange [0.1279858008:90135417.33]
set logscale y
set ytics ('' 1, '' 100, '' 10000, '' 1000000)
unset logscale x
set xrange [-0.5:2.5]
set xtics ('' 0, '' 1, '' 2)
plot $c1l0 using 2:($12==0?$8:NaN):9:10 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0xD55E00 notitle, \
     $c1l0 using 2:8 with lines linewidth 1.2 linecolor rgb 0x90D55E00 notitle, \
     $c1l0 using 2:8 with points linewidth 2.6 dashtype solid pointtype 7 pointsize 1.5*PS linecolor rgb 0xD55E00 notitle, \
     $c1l1 using 2:($12==0?$8:NaN):9:10 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0xCC79A7 notitle, \
     $c1l1 using 2:8 with lines linewidth 1.2 linecolor rgb 0x90CC79A7 notitle, \
     $c1l1 using 2:8 with points linewidth 2.6 dashtype solid pointtype 5 pointsize 1.35*PS linecolor rgb 0xCC79A7 notitle, \
     $c1l2 using 2:($12==0?$8:NaN):9:10 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0x009E73 notitle, \
     $c1l2 using 2:8 with lines linewidth 1.2 linecolor rgb 0x90009E73 notitle, \
     $c1l2 using 2:8 with points linewidth 2.6 dashtype solid pointtype 9 pointsize 1.75*PS linecolor rgb 0x009E73 notitle, \
     $c1l3 using 2:($12==0?$8:NaN):9:10 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0x0072B2 notitle, \
     $c1l3 using 2:8 with lines linewidth 1.2 linecolor rgb 0x900072B2 notitle, \
     $c1l3 using 2:8 with points linewidth 2.6 dashtype solid pointtype 13 pointsize 1.85*PS linecolor rgb 0x0072B2 notitle
unset label
unset arrow

# Mean row-max, column 1
set lmargin at screen 0.07500
set rmargin at screen 0.47250
set tmargin at screen 0.41036
set bmargin at screen 0.27092
set label 'Mean row-max' at screen 0.07500, screen 0.43875 left font FONT.' Bold,20' textcolor rgb 0x26323C
set label 'largest weight of a row; 1 is one-hot' at screen 0.07500, screen 0.42430 left font FONT.',16' textcolor rgb 0x5A666F
unset logscale y
set yrange [0:1.03]
set ytics ('0.0' 0, '0.2' 0.2, '0.4' 0.4, '0.6' 0.6, '0.8' 0.8, '1.0' 1)
unset logscale x
set xrange [-0.5:2.5]
set xtics ('' 0, '' 1, '' 2)
set arrow from graph 0, first 0.8 to graph 1, first 0.8 nohead back dashtype (12,8) linewidth 1.6 linecolor rgb 0x5A666F
set arrow from graph 0, first 0.125 to graph 1, first 0.125 nohead back dashtype (3,5) linewidth 1.6 linecolor rgb 0x8A949C
plot $c0l0 using 2:($17==0?$13:NaN):14:15 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0xD55E00 notitle, \
     $c0l0 using 2:13 with lines linewidth 1.2 linecolor rgb 0x90D55E00 notitle, \
     $c0l0 using 2:13 with points linewidth 2.6 dashtype solid pointtype 7 pointsize 1.5*PS linecolor rgb 0xD55E00 notitle, \
     $c0l1 using 2:($17==0?$13:NaN):14:15 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0xCC79A7 notitle, \
     $c0l1 using 2:13 with lines linewidth 1.2 linecolor rgb 0x90CC79A7 notitle, \
     $c0l1 using 2:13 with points linewidth 2.6 dashtype solid pointtype 5 pointsize 1.35*PS linecolor rgb 0xCC79A7 notitle, \
     $c0l2 using 2:($17==0?$13:NaN):14:15 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0x009E73 notitle, \
     $c0l2 using 2:13 with lines linewidth 1.2 linecolor rgb 0x90009E73 notitle, \
     $c0l2 using 2:13 with points linewidth 2.6 dashtype solid pointtype 9 pointsize 1.75*PS linecolor rgb 0x009E73 notitle, \
     $c0l3 using 2:($17==0?$13:NaN):14:15 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0x0072B2 notitle, \
     $c0l3 using 2:13 with lines linewidth 1.2 linecolor rgb 0x900072B2 notitle, \
     $c0l3 using 2:13 with points linewidth 2.6 dashtype solid pointtype 13 pointsize 1.85*PS linecolor rgb 0x0072B2 notitle
unset label
unset arrow

# Mean row-max, column 2
set lmargin at screen 0.50750
set rmargin at screen 0.90500
set tmargin at screen 0.41036
set bmargin at screen 0.27092
unset logscale y
set yrange [0:1.03]
set ytics ('' 0, '' 0.2, '' 0.4, '' 0.6, '' 0.8, '' 1)
unset logscale x
set xrange [-0.5:2.5]
set xtics ('' 0, '' 1, '' 2)
set arrow from graph 0, first 0.8 to graph 1, first 0.8 nohead back dashtype (12,8) linewidth 1.6 linecolor rgb 0x5A666F
set label 'saturated: 0.8' at graph 1, first 0.8 left offset 0.7,0 font FONT.',16' textcolor rgb 0x5A666F
set arrow from graph 0, first 0.125 to graph 1, first 0.125 nohead back dashtype (3,5) linewidth 1.6 linecolor rgb 0x8A949C
set label 'uniform: 1/8' at graph 1, first 0.125 left offset 0.7,0 font FONT.',16' textcolor rgb 0x5A666F
plot $c1l0 using 2:($17==0?$13:NaN):14:15 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0xD55E00 notitle, \
     $c1l0 using 2:13 with lines linewidth 1.2 linecolor rgb 0x90D55E00 notitle, \
     $c1l0 using 2:13 with points linewidth 2.6 dashtype solid pointtype 7 pointsize 1.5*PS linecolor rgb 0xD55E00 notitle, \
     $c1l1 using 2:($17==0?$13:NaN):14:15 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0xCC79A7 notitle, \
     $c1l1 using 2:13 with lines linewidth 1.2 linecolor rgb 0x90CC79A7 notitle, \
     $c1l1 using 2:13 with points linewidth 2.6 dashtype solid pointtype 5 pointsize 1.35*PS linecolor rgb 0xCC79A7 notitle, \
     $c1l2 using 2:($17==0?$13:NaN):14:15 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0x009E73 notitle, \
     $c1l2 using 2:13 with lines linewidth 1.2 linecolor rgb 0x90009E73 notitle, \
     $c1l2 using 2:13 with points linewidth 2.6 dashtype solid pointtype 9 pointsize 1.75*PS linecolor rgb 0x009E73 notitle, \
     $c1l3 using 2:($17==0?$13:NaN):14:15 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0x0072B2 notitle, \
     $c1l3 using 2:13 with lines linewidth 1.2 linecolor rgb 0x900072B2 notitle, \
     $c1l3 using 2:13 with points linewidth 2.6 dashtype solid pointtype 13 pointsize 1.85*PS linecolor rgb 0x0072B2 notitle
unset label
unset arrow

# Gradient magnitude, column 1
set lmargin at screen 0.07500
set rmargin at screen 0.47250
set tmargin at screen 0.21414
set bmargin at screen 0.07470
set label 'Gradient magnitude' at screen 0.07500, screen 0.24253 left font FONT.' Bold,20' textcolor rgb 0x26323C
set label 'mean Frobenius norm of the softmax Jacobian' at screen 0.07500, screen 0.22809 left font FONT.',16' textcolor rgb 0x5A666F
unset logscale y
set yrange [8.091382827e-06:0.7203653336]
set logscale y
set ytics ('10⁻⁵' 1e-05, '10⁻⁴' 0.0001, '10⁻³' 0.001, '10⁻²' 0.01, '10⁻¹' 0.1)
unset logscale x
set xrange [-0.5:2.5]
set xtics ('' 0, '' 1, '' 2)
set label 'demo' at first 0, graph 0 offset 0,-0.95 center font FONT.',17' textcolor rgb 0x26323C
set label '8 sentences' at first 0, graph 0 offset 0,-2.05 center font FONT.',15' textcolor rgb 0x5A666F
set label 'kitchen' at first 1, graph 0 offset 0,-0.95 center font FONT.',17' textcolor rgb 0x26323C
set label '300 sentences' at first 1, graph 0 offset 0,-2.05 center font FONT.',15' textcolor rgb 0x5A666F
set label 'harbour' at first 2, graph 0 offset 0,-0.95 center font FONT.',17' textcolor rgb 0x26323C
set label '3,008 sentences' at first 2, graph 0 offset 0,-2.05 center font FONT.',15' textcolor rgb 0x5A666F
plot $c0l0 using 2:($22==1?$18:NaN):19:20 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0x99D55E00 notitle, \
     $c0l0 using 2:18 with lines linewidth 1.2 linecolor rgb 0x90D55E00 notitle, \
     $c0l0 using 2:18 with points linewidth 2.6 dashtype solid pointtype 7 pointsize 1.5*PS linecolor rgb 0xD55E00 notitle, \
     $c0l1 using 2:($22==0?$18:NaN):19:20 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0xCC79A7 notitle, \
     $c0l1 using 2:18 with lines linewidth 1.2 linecolor rgb 0x90CC79A7 notitle, \
     $c0l1 using 2:18 with points linewidth 2.6 dashtype solid pointtype 5 pointsize 1.35*PS linecolor rgb 0xCC79A7 notitle, \
     $c0l2 using 2:($22==0?$18:NaN):19:20 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0x009E73 notitle, \
     $c0l2 using 2:($22==1?$18:NaN):19:20 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0x99009E73 notitle, \
     $c0l2 using 2:18 with lines linewidth 1.2 linecolor rgb 0x90009E73 notitle, \
     $c0l2 using 2:18 with points linewidth 2.6 dashtype solid pointtype 9 pointsize 1.75*PS linecolor rgb 0x009E73 notitle, \
     $c0l3 using 2:($22==0?$18:NaN):19:20 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0x0072B2 notitle, \
     $c0l3 using 2:18 with lines linewidth 1.2 linecolor rgb 0x900072B2 notitle, \
     $c0l3 using 2:18 with points linewidth 2.6 dashtype solid pointtype 13 pointsize 1.85*PS linecolor rgb 0x0072B2 notitle
unset label
unset arrow

# Gradient magnitude, column 2
set lmargin at screen 0.50750
set rmargin at screen 0.90500
set tmargin at screen 0.21414
set bmargin at screen 0.07470
unset logscale y
set yrange [8.091382827e-06:0.7203653336]
set logscale y
set ytics ('' 1e-05, '' 0.0001, '' 0.001, '' 0.01, '' 0.1)
unset logscale x
set xrange [-0.5:2.5]
set xtics ('' 0, '' 1, '' 2)
set label 'demo' at first 0, graph 0 offset 0,-0.95 center font FONT.',17' textcolor rgb 0x26323C
set label '8 sentences' at first 0, graph 0 offset 0,-2.05 center font FONT.',15' textcolor rgb 0x5A666F
set label 'kitchen' at first 1, graph 0 offset 0,-0.95 center font FONT.',17' textcolor rgb 0x26323C
set label '300 sentences' at first 1, graph 0 offset 0,-2.05 center font FONT.',15' textcolor rgb 0x5A666F
set label 'harbour' at first 2, graph 0 offset 0,-0.95 center font FONT.',17' textcolor rgb 0x26323C
set label '3,008 sentences' at first 2, graph 0 offset 0,-2.05 center font FONT.',15' textcolor rgb 0x5A666F
plot $c1l0 using 2:($22==0?$18:NaN):19:20 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0xD55E00 notitle, \
     $c1l0 using 2:18 with lines linewidth 1.2 linecolor rgb 0x90D55E00 notitle, \
     $c1l0 using 2:18 with points linewidth 2.6 dashtype solid pointtype 7 pointsize 1.5*PS linecolor rgb 0xD55E00 notitle, \
     $c1l1 using 2:($22==0?$18:NaN):19:20 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0xCC79A7 notitle, \
     $c1l1 using 2:18 with lines linewidth 1.2 linecolor rgb 0x90CC79A7 notitle, \
     $c1l1 using 2:18 with points linewidth 2.6 dashtype solid pointtype 5 pointsize 1.35*PS linecolor rgb 0xCC79A7 notitle, \
     $c1l2 using 2:($22==0?$18:NaN):19:20 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0x009E73 notitle, \
     $c1l2 using 2:18 with lines linewidth 1.2 linecolor rgb 0x90009E73 notitle, \
     $c1l2 using 2:18 with points linewidth 2.6 dashtype solid pointtype 9 pointsize 1.75*PS linecolor rgb 0x009E73 notitle, \
     $c1l3 using 2:($22==0?$18:NaN):19:20 with yerrorbars pointtype -1 linewidth 2 linecolor rgb 0x0072B2 notitle, \
     $c1l3 using 2:18 with lines linewidth 1.2 linecolor rgb 0x900072B2 notitle, \
     $c1l3 using 2:18 with points linewidth 2.6 dashtype solid pointtype 13 pointsize 1.85*PS linecolor rgb 0x0072B2 notitle
unset label
unset arrow
unset multiplot
unset output
