// How names, brands and words of the net, of games, kitchens and terminals are said, in ARPABET: what CMUdict doesn't have, has for a surname
// or for another language, or has in a form that is rarely heard. Spelled without accents, in lower case.

/** A word and its sounds on each line. Plurals, possessives and "-ing" are derived. */
const LIST = `
ai EY2 AY1
app AE1 P
august AO1 G AH0 S T
different D IH1 F R AH0 N T
every EH1 V R IY0
friday F R AY1 D EY2
monday M AH1 N D EY2
saturday S AE1 T ER0 D EY2
sometimes S AH1 M T AY2 M Z
thirty TH ER1 T IY0
tuesday T UW1 Z D EY2
wednesday W EH1 N Z D EY2
yeah Y AE1 AH0
yes Y EH1 S

adult AH0 D AH1 L T
buffet B AH0 F EY1
costume K AA1 S T UW2 M
decade D EH1 K EY2 D
detour D IY1 T UH2 R
discourse D IH1 S K AO0 R S
houses HH AW1 Z IH0 Z
invalid IH0 N V AE1 L AH0 D
invalid's IH1 N V AH0 L IH0 D Z
petrol P EH1 T R AH0 L
rampage R AE1 M P EY2 JH
romance R OW0 M AE1 N S
tears T IH1 R Z
teardrop T IH1 R D R AA2 P
winding W AY1 N D IH0 NG

beyonce B IY0 AA1 N S EY2
adaeze AH0 D EY1 Z EY0
aishwarya AY2 SH W AA1 R Y AH0
aisling AE1 SH L IH0 NG
akira AH0 K IH1 R AH0
anais AE2 N AH0 IY1 S
ananya AH0 N AA1 N Y AH0
angharad AE0 NG HH AE1 R AH0 D
anya AA1 N Y AH0
aoife IY1 F AH0
arya AA1 R Y AH0
astarion AH0 S T EH1 R IY0 AH0 N
asuka AA1 S UH0 K AH0
baldur B AO1 L D ER0
benoit B EH0 N W AA1
bowser B AW1 Z ER0
bjork B Y AO1 R K
bjorn B Y AO1 R N
bulma B UH1 L M AH0
caitriona K AH0 T R IY1 N AH0
caoimhe K IY1 V AH0
camus K AE0 M UW1
chalamet SH AE1 L AH0 M EY2
charizard CH AE1 R IH0 Z AA2 R D
ciaran K IH1 R AH0 N
cillian K IH1 L IY0 AH0 N
daenerys D AH0 N EH1 R IH0 S
dhruv D R UW1 V
djokovic JH OW1 K AH0 V IH0 CH
domhnall D OW1 N AH0 L
doncic D AO1 N CH IH0 CH
dostoevsky D AO2 S T OY0 EH1 F S K IY0
dua D UW1 AH0
dvorak D V AO1 R ZH AE2 K
eilidh EY1 L IY0
eoghan OW1 AH0 N
eoin OW1 IH0 N
epona EH0 P OW1 N AH0
ermez EH0 R M EH1 Z
etienne EY2 T Y EH1 N
evangelion EH2 V AE0 N G EH1 L IY0 AH0 N
ffion F IY1 AO2 N
fionnuala F IH0 N UW1 L AH0
francois F R AA0 N S W AA1
gandalf G AE1 N D AA2 L F
ganondorf G AE1 N AH0 N D AO2 R F
genos G EH1 N OW0 S
geraint G EH1 R AY2 N T
geralt G EH1 R AH0 L T
gerudo G EH0 R UW1 D OW0
gianluigi JH AA2 N L UW0 IY1 JH IY0
giannis Y AA1 N IH0 S
githyanki G IH0 TH Y AE1 NG K IY0
giulia JH UW1 L Y AH0
goethe G ER1 T AH0
gohan G OW1 HH AA2 N
goku G OW1 K UW0
grainne G R AO1 N Y AH0
guillaume G IY0 OW1 M
guillermo G IY0 Y EH1 R M OW0
haaland HH AO1 L AH0 N D
hakan HH AA1 K AA0 N
hermione HH ER0 M AY1 AH0 N IY0
hokage HH OW0 K AA1 G EY0
inigo IH1 N IH0 G OW2
inosuke IH0 N OW1 S K EY0
ioan Y OW1 AH0 N
jinping JH IH2 N P IH1 NG
joaquin W AA0 K IY1 N
jurgen Y UH1 R G AH0 N
kamala K AA1 M AH0 L AH0
kamehameha K AA2 M EY0 HH AA1 M EY0 HH AA2
kanye K AA1 N Y EY0
khaleesi K AH0 L IY1 S IY0
kratos K R EY1 T AO2 S
krzysztof K SH IH1 SH T AO0 F
lae'zel L EY0 Z EH1 L
legolas L EH1 G AH0 L AA2 S
lewandowski L EH2 V AH0 N D AO1 F S K IY0
lukaku L UW0 K AA1 K UW0
macron M AH0 K R OW1 N
maelle M AA0 EH1 L
maeve M EY1 V
majora M AH0 JH AO1 R AH0
malala M AH0 L AA1 L AH0
malgorzata M AA2 L G AO0 ZH AA1 T AH0
mbappe EH0 M B AA1 P EY0
messi M EH1 S IY0
mewtwo M Y UW1 T UW2
mando M AE1 N D OW0
mhairi V AA1 R IY0
mikhail M IH0 K AY1 L
mipha M IY1 F AH0
modric M OW1 D R IH0 CH
mohammed M OW0 HH AA1 M AH0 D
muhammad M OW0 HH AA1 M AH0 D
naomi N EY0 OW1 M IY0
naruto N AH0 R UW1 T OW0
navi N AA1 V IY0
neymar N EY1 M AA2 R
ngozi EH0 NG G OW1 Z IY0
nguyen W IH1 N
niamh N IY1 V
nietzsche N IY1 CH AH0
oisin OW0 SH IY1 N
oleksandr OW2 L EH0 K S AA1 N D ER0
oluwaseun OW2 L UW0 W AA0 S EY1 UH0 N
paulo P AW1 L OW0
persephone P ER0 S EH1 F AH0 N IY0
philippe F IH0 L IY1 P
pikachu P IY1 K AH0 CH UW2
piotr P Y OW1 T ER0
pippa P IH1 P AH0
priya P R IY1 Y AH0
qiu CH Y OW1
raikkonen R AY1 K AH0 N EH0 N
rajesh R AA0 JH EH1 SH
rasengan R AH0 S EH1 N G AH0 N
rayquaza R EY0 K W AA1 Z AH0
reigen R EY1 G EH0 N
renee R AH0 N EY1
revali R AH0 V AA1 L IY0
roisin R OW0 SH IY1 N
ryu R Y UW1
saitama S AY0 T AA1 M AH0
saiyan S AY1 AH0 N
saoirse S ER1 SH AH0
sasuke S AA1 S K EY0
saurabh S AW1 R AH0 B
sauron S AW1 R AA0 N
saweetie S AH0 W IY1 T IY0
schwarzenegger SH W AO1 R T S AH0 N EH2 G ER0
seok S AO1 K
sephiroth S EH1 F ER0 AO2 TH
shakira SH AH0 K IH1 R AH0
sharingan SH AA1 R IH0 NG G AA2 N
sian SH AA1 N
sidon S IY1 D AA0 N
sinead SH IH0 N EY1 D
siobhan SH IH0 V AO1 N
sipho S IY1 P OW0
skywalker S K AY1 W AO2 K ER0
snorlax S N AO1 R L AE2 K S
socrates S AA1 K R AH0 T IY2 Z
sokka S AA1 K AH0
soren S AO1 R AH0 N
swiatek SH V Y OW1 N T EH0 K
tadhg T AY1 G
targaryen T AA0 R G EH1 R IY0 AH0 N
tchaikovsky CH AY0 K AO1 F S K IY0
thandiwe T AE0 N D IY1 W EY0
thierry T Y EH1 R IY0
timothee T IH1 M AH0 TH IY0
tsunade S UW0 N AA1 D EY0
tunde T UW1 N D EY0
urbosa ER0 B OW1 S AH0
vegeta V AH0 JH IY1 T AH0
verstappen V ER0 S T AA1 P AH0 N
vinicius V IH0 N IH1 SH AH0 S
volodymyr V AO2 L AH0 D IH1 M IH2 R
wojciech V OY1 CH EH0 K
wonka W AA1 NG K AH0
ximena HH IH0 M EY1 N AH0
xiomara S IY0 OW0 M AA1 R AH0
yngwie IH1 NG V EY0
yusuf Y UW1 S AH0 F
zbigniew Z B IH1 G N Y EH0 F
zelensky Z AH0 L EH1 N S K IY0
zelenskyy Z AH0 L EH1 N S K IY0
zendaya Z EH0 N D EY1 AH0
zhang JH AA1 NG
zhao JH AW1
zlatan Z L AA1 T AH0 N
zoe Z OW1 IY0
xavi SH AA1 V IY0
yosemite Y OW0 S EH1 M AH0 T IY0

cannes K AE1 N
aarhus AO1 R HH UW2 S
aires AY1 R EH0 Z
arhus AO1 R HH UW2 S
bengaluru B EH2 NG G AH0 L UH1 R UW0
busan B UW1 S AA2 N
cirencester S AY1 R AH0 N S EH2 S T ER0
curitiba K UH2 R IH0 T IY1 B AH0
cusco K UW1 S K OW0
desmoines D AH0 M OY1 N
faerun F EH0 R UW1 N
guangzhou G W AA1 NG JH OW2
hangzhou HH AA1 NG JH OW2
hanoi HH AE0 N OY1
hyrule HH AY1 R UW2 L
iguazu IY2 G W AA0 S UW1
ipanema IH2 P AH0 N IY1 M AH0
kathmandu K AE2 T M AE0 N D UW1
kyiv K IY1 V
kyoto K IY0 OW1 T OW0
lodz W UW1 CH
loughborough L AH1 F B ER0 OW2
lyon L IY0 OW1 N
mackinac M AE1 K AH0 N AO2
marseille M AA0 R S EY1
medellin M EH2 D EY0 IY1 N
norwich N AA1 R IH0 CH
oaxaca W AH0 HH AA1 K AH0
phnom P AH0 N AA1 M
phuket P UW0 K EH1 T
qatar K AH0 T AA1 R
quito K IY1 T OW0
reykjavik R EY1 K Y AH0 V IH2 K
sault S UW1
shenzhen SH EH2 N JH EH1 N
tbilisi T AH0 B IH0 L IY1 S IY0
tehran T EH2 R AA1 N
terraria T ER0 EH1 R IY0 AH0
ushuaia UW0 S W AY1 AH0
valparaiso V AE2 L P AH0 R AY1 Z OW0
versailles V ER0 S AY1
worcester W UH1 S T ER0
worcestershire W UH1 S T ER0 SH ER0
xi'an SH IY0 AA1 N
yerevan Y EH2 R AH0 V AA1 N

adidas AH0 D IY1 D AH0 S
airbnb EH1 R B IY2 EH2 N B IY1
alibaba AE2 L IY0 B AA1 B AH0
anthropic AE0 N TH R AA1 P IH0 K
asus EY1 S UW2 S
audi AW1 D IY0
baidu B AY1 D UW0
balatro B AH0 L AA1 T R OW0
balenciaga B AH0 L EH2 N S IY0 AA1 G AH0
balmain B AE0 L M AE1 N
burberry B ER1 B ER0 IY0
bvlgari B UH1 L G ER0 IY0
cartier K AA1 R T IY0 EY2
chatgpt CH AE2 T JH IY2 P IY2 T IY1
citroen S IH1 T R OW0 EH2 N
dacia D AA1 CH AH0
danone D AH0 N OW1 N
deepseek D IY1 P S IY2 K
discord D IH1 S K AO2 R D
duolingo D UW2 OW0 L IH1 NG G OW0
duvel D UW1 V AH0 L
fiat F IY1 AA2 T
fortnite F AO1 R T N AY2 T
genshin G EH1 N SH IH0 N
givenchy ZH IY2 V AA0 N SH IY1
haribo HH EH1 R IH0 B OW2
hermes HH ER1 M IY0 Z
hoegaarden HH UW1 G AA2 R D AH0 N
huawei W AA1 W EY2
hublot UW0 B L OW1
hyundai HH AH1 N D EY2
ikea AY0 K IY1 AH0
imac AY1 M AE2 K
ios AY2 OW2 EH1 S
ipad AY1 P AE2 D
iphone AY1 F OW2 N
koenigsegg K EH1 N IH0 G S EH2 G
lenovo L AH0 N OW1 V OW0
lidl L IY1 D AH0 L
loewe L OW0 EH1 V EY0
logitech L AA1 JH IH0 T EH2 K
longines L AO1 N ZH IY2 N
lyft L IH1 F T
midjourney M IH1 D JH ER2 N IY0
mistral M IH0 S T R AA1 L
moet M OW0 EH1 T
moschino M AH0 S K IY1 N OW0
neslay N EH1 S L EY2
nutella N UW0 T EH1 L AH0
nvidia EH0 N V IH1 D IY0 AH0
ollama OW0 L AA1 M AH0
oppo OW1 P OW0
peugeot P ER0 ZH OW1
pokemon P OW1 K IY0 M AA2 N
qwen K W EH1 N
razer R EY1 Z ER0
roblox R OW1 B L AA2 K S
rocher R OW0 SH EY1
shein SH IY1 IH0 N
skyrim S K AY1 R IH2 M
spotify S P AA1 T AH0 F AY2
tiktok T IH1 K T AA2 K
tissot T IY0 S OW1
toblerone T OW1 B L ER0 OW2 N
uber UW1 B ER0
ubisoft Y UW1 B IH0 S AO2 F T
uniqlo Y UW1 N IH0 K L OW2
valheim V AE1 L HH AY2 M
valorant V AE1 L ER0 AH0 N T
venmo V EH1 N M OW0
vuitton V W IY0 T AA1 N
xbox EH1 K S B AA2 K S
xiaomi SH AW1 M IY0
zara Z AA1 R AH0
zelda Z EH1 L D AH0

acai AH2 S AA0 IY1
aioli AY0 OW1 L IY0
aperitif AH0 P EH2 R AH0 T IY1 F
apropos AE2 P R AH0 P OW1
attache AE2 T AH0 SH EY1
banh B AA1 N
beignet B EH0 N Y EY1
bibimbap B IY1 B IH0 M B AA2 P
bidet B IH0 D EY1
bijou B IY1 ZH UW2
boba B OW1 B AH0
bologna B AH0 L OW1 N Y AH0
bouillabaisse B UW2 Y AH0 B EY1 S
bourgeois B UH0 R ZH W AA1
brulee B R UW0 L EY1
bruschetta B R UW0 S K EH1 T AH0
cafe K AH0 F EY1
charcuterie SH AA0 R K UW1 T ER0 IY0
chipotle CH IH0 P OW1 T L EY0
churro CH UH1 R OW0
ciabatta CH AH0 B AA1 T AH0
cliche K L IY0 SH EY1
colada K AH0 L AA1 D AH0
coq K OW1 K
coup K UW1
creme K R EH1 M
crepe K R EY1 P
croissant K R AH0 S AA1 N T
deja D EY1 ZH AA2
doge D OW1 ZH
eclair EY0 K L EH1 R
edamame EH2 D AH0 M AA1 M EY0
entree AA1 N T R EY2
faux F OW1
fiance F IY2 AA0 N S EY1
fiancee F IY2 AA0 N S EY1
foie F W AA1
gelato JH AH0 L AA1 T OW0
gnocchi N Y OW1 K IY0
gouda G UW1 D AH0
gyoza G IY0 OW1 Z AH0
gyros Y IH1 R OW0 Z
haute OW1 T
hors AO1 R
jalapeno HH AA2 L AH0 P EY1 N Y OW0
laissez L EH2 S EY1
macaron M AE2 K ER0 OW1 N
macchiato M AA2 K IY0 AA1 T OW0
masala M AH0 S AA1 L AH0
mascarpone M AE2 S K AA0 R P OW1 N IY0
matcha M AA1 CH AH0
mojito M OW0 HH IY1 T OW0
naan N AA1 N
naive N AY0 IY1 V
oeuvre ER1 V R AH0
oeuvres ER1 V Z
omakase OW2 M AH0 K AA1 S EY0
paella P AA0 EY1 AH0
pas P AA1
pate P AA0 T EY1
pho F AH1
pierogi P IH0 R OW1 G IY0
pina P IY1 N Y AH0
pinata P IH0 N Y AA1 T AH0
prix P R IY1
quesadilla K EY2 S AH0 D IY1 Y AH0
queso K EY1 S OW0
quiche K IY1 SH
quinoa K IY1 N W AA2
ramen R AA1 M AH0 N
ratatouille R AE2 T AH0 T UW1 IY0
ricotta R IH0 K AA1 T AH0
saute S AO0 T EY1
sashimi S AA0 SH IY1 M IY0
segue S EH1 G W EY2
sommelier S AH2 M AH0 L Y EY1
sriracha S IH0 R AA1 CH AH0
tagliatelle T AA2 L Y AH0 T EH1 L IY0
tempura T EH0 M P UH1 R AH0
tikka T IY1 K AH0
tonkatsu T AA2 NG K AA1 T S UW0
tortilla T AO0 R T IY1 Y AH0
touche T UW0 SH EY1
tzatziki T S AA0 T S IY1 K IY0
udon UW1 D AA0 N
vinaigrette V IH2 N AH0 G R EH1 T
voila V W AA0 L AA1
vis V IY1
rezoomay R EH1 Z UH0 M EY2
exposay EH2 K S P OW0 Z EY1
rozay R OW0 Z EY1
pahtay P AA0 T EY1
mahtay M AA1 T EY2
peekay P IY0 K EY1
sahkay S AA1 K EY0
wasabi W AH0 S AA1 B IY0

afterparty AE1 F T ER0 P AA2 R T IY0
aimbot EY1 M B AA2 T
amogus AH0 M OW1 G AH0 S
anime AE1 N IH0 M EY2
baka B AA1 K AH0
bestie B EH1 S T IY0
bot B AA1 T
bouta B AW1 T AH0
boutta B AW1 T AH0
bouba B UW1 B AH0
brr B ER1
bruh B R AH1
captcha K AE1 P CH AH0
catfish K AE1 T F IH2 SH
coulda K UH1 D AH0
covid K OW1 V IH0 D
crypto K R IH1 P T OW0
delulu D IH0 L UW1 L UW0
cuz K AH1 Z
debuff D IY1 B AH2 F
doomscroll D UW1 M S K R OW2 L
doomscrolling D UW1 M S K R OW2 L IH0 NG
drow D R AW1
emoji IH0 M OW1 JH IY0
emote IY1 M OW2 T
esports IY1 S P AO2 R T S
gacha G AA1 CH AH0
gamer G EY1 M ER0
gif G IH1 F
gonna G AH1 N AH0
gotcha G AA1 CH AH0
gyat G Y AE1 T
gyatt G Y AE1 T
haha HH AA1 HH AA2
hahaha HH AA1 HH AA2 HH AA2
heya HH EY1 Y AH0
hoya HH OY1 AH0
hundo HH AH1 N D OW0
headshot HH EH1 D SH AA2 T
hehe HH EH1 HH EH2
hiya HH AY1 Y AH0
hmm HH AH1 M
huh HH AH1
ima AY1 M AH0
isekai IH1 S EH0 K AY2
jitsu JH IH1 T S UW0
jpeg JH EY1 P EH2 G
kawaii K AH0 W AY1 IY0
kekw K EH1 K D AH2 B AH0 L Y UW0
kinda K AY1 N D AH0
kthxbye K EY1 TH AE2 NG K S B AY1
livestream L AY1 V S T R IY2 M
livestreamer L AY1 V S T R IY2 M ER0
lmao EH2 L EH2 M EY2 OW1
lmfao EH2 L EH2 M EH2 F EY2 OW1
meme M IY1 M
metroidvania M EH2 T R OY0 D V EY1 N IY0 AH0
monka M AA1 NG K AH0
mhm AH0 M HH AH1 M
mmorpg EH2 M EH2 M OW2 AA2 R P IY2 JH IY1
oppa AA1 P AH0
pepega P EH0 P EY1 G AH0
modmail M AA1 D M EY2 L
niche N IY1 SH
noob N UW1 B
nsfw EH2 N EH2 S EH2 F D AH1 B AH0 L Y UW0
oof UW1 F
otaku OW0 T AA1 K UW0
oughta AO1 T AH0
oughtta AO1 T AH0
pog P AA1 G
poggers P AA1 G ER0 Z
pogchamp P AA1 G CH AE2 M P
pwned P OW1 N D
reddit R EH1 D IH0 T
respawn R IY0 S P AO1 N
rickroll R IH1 K R OW2 L
rizz R IH1 Z
rofl R AA1 F AH0 L
selfie S EH1 L F IY0
senpai S EH1 N P AY2
shonen SH OW1 N EH0 N
shoulda SH UH1 D AH0
simp S IH1 M P
skibidi S K IH1 B IH0 D IY0
sorta S AO1 R T AH0
speedrun S P IY1 D R AH2 N
stonks S T AA1 NG K S
subreddit S AH1 B R EH2 D IH0 T
sus S AH1 S
tryna T R AY1 N AH0
tsundere T S UW2 N D EH1 R EY0
twitch T W IH1 CH
ughh AH1 G
unban AH0 N B AE1 N
unmute AH0 N M Y UW1 T
vibe V AY1 B
vlog V L AO1 G
vtuber V IY1 T UW2 B ER0
waifu W AY1 F UW2
whatcha W AH1 CH AH0
woah W OW1
wholesome HH OW1 L S AH0 M
woulda W UH1 D AH0
xoxo EH2 K S OW1 EH2 K S OW1
yall Y AO1 L
yay Y EY1
yeet Y IY1 T
yep Y EH1 P
yikes Y AY1 K S
yoink Y OY1 NG K

admin AE1 D M IH0 N
ansible AE1 N S AH0 B AH0 L
apache AH0 P AE1 CH IY0
async EY1 S IH2 NG K
auth AO1 TH
azure AE1 ZH ER0
backend B AE1 K EH2 N D
blockchain B L AA1 K CH EY2 N
boolean B UW1 L IY0 AH0 N
changelog CH EY1 N JH L AO2 G
char CH AA1 R
chmod CH M AA1 D
chromebook K R OW1 M B UH2 K
clojure K L OW1 ZH ER0
codec K OW1 D EH2 K
config K AH0 N F IH1 G
cron K R AA1 N
cuda K UW1 D AH0
daemon D IY1 M AH0 N
daemonize D IY1 M AH0 N AY2 Z
deepfake D IY1 P F EY2 K
debian D EH1 B IY0 AH0 N
devops D EH1 V AA2 P S
django JH AE1 NG G OW0
docker D AA1 K ER0
dotenv D AA1 T EH2 N V
enum IY1 N AH2 M
erlang ER1 L AE2 NG
eslint IY2 EH2 S L IH1 N T
ethernet IY1 TH ER0 N EH2 T
ethereum IH0 TH IH1 R IY0 AH0 M
flexbox F L EH1 K S B AA2 K S
frontend F R AH1 N T EH2 N D
gimp G IH1 M P
github G IH1 T HH AH2 B
gitlab G IH1 T L AE2 B
gnome G N OW1 M
golang G OW1 L AE2 NG
gradle G R EY1 D AH0 L
grafana G R AH0 F AA1 N AH0
graphql G R AE2 F K Y UW2 EH1 L
grep G R EH1 P
heredoc HH IH1 R D AA2 K
hotfix HH AA1 T F IH2 K S
init IH0 N IH1 T
json JH EY1 S AH0 N
keyframe K IY1 F R EY2 M
kubectl K Y UW1 B K AH0 N T R OW2 L
kubernetes K UW2 B ER0 N EH1 T IY0 Z
laravel L EH1 R AH0 V EH2 L
latex L EY1 T EH2 K S
lidar L AY1 D AA2 R
linux L IH1 N AH0 K S
localhost L OW1 K AH0 L HH OW2 S T
malware M AE1 L W EH2 R
middleware M IH1 D AH0 L W EH2 R
mongodb M AA1 NG G OW0 D IY2 B IY2
monorepo M AA1 N OW0 R IY2 P OW0
mutex M Y UW1 T EH2 K S
mysql M AY2 EH2 S K Y UW2 EH1 L
nano N AE1 N OW0
nginx EH1 N JH IH0 N EH2 K S
npm EH2 N P IY2 EH1 M
numpy N AH1 M P AY2
onnx AA1 N IH0 K S
opus OW1 P AH0 S
plugin P L AH1 G IH2 N
postgre P OW1 S T G R EH0
postgres P OW1 S T G R EH0 S
printf P R IH1 N T EH2 F
pypi P AY2 P IY2 AY1
pytest P AY1 T EH2 S T
pytorch P AY1 T AO2 R CH
qubit K Y UW1 B IH2 T
reboot R IY0 B UW1 T
redis R EH1 D IH0 S
redux R IY1 D AH0 K S
regex R EH1 JH EH2 K S
repo R IY1 P OW0
rsync AA1 R S IH2 NG K
runtime R AH1 N T AY2 M
sata S EY1 T AH0
scipy S AY1 P AY2
sql S IY1 K W AH0 L
sqlite S IY1 K W AH0 L AY2 T
stderr S T AE1 N D ER0 D EH2 R ER0
stdin S T AE1 N D ER0 D IH2 N
stdout S T AE1 N D ER0 D AW2 T
subdomain S AH1 B D OW2 M EY0 N
sudo S UW1 D UW0
supabase S UW1 P AH0 B EY2 S
svelte S V EH1 L T
symfony S IH1 M F AH0 N IY0
systemd S IH1 S T AH0 M D IY2
tensorflow T EH1 N S ER0 F L OW2
terabyte T EH1 R AH0 B AY2 T
terraform T EH1 R AH0 F AO2 R M
tmux T IY1 M AH2 K S
tuple T UW1 P AH0 L
ubuntu UW0 B UW1 N T UW0
ui Y UW2 AY1
unicode Y UW1 N IH0 K OW2 D
vercel V ER0 S EH1 L
vite V IY1 T
vitest V IY1 T EH2 S T
vue V Y UW1
wasm W AA1 Z AH0 M
wav W EY1 V
webpack W EH1 B P AE2 K
webp W EH1 P IY0
websocket W EH1 B S AA2 K IH0 T
wget D AH1 B AH0 L Y UW0 G EH2 T
wifi W AY1 F AY2
xcode EH1 K S K OW2 D
yaml Y AE1 M AH0 L
`;

/** By the word, lower case, without accents. */
export const PRONUNCIATIONS: ReadonlyMap<string, string> = new Map(
  LIST.split('\n').flatMap((line) => {
    const blank = line.indexOf(' ');
    return blank < 0 ? [] : [[line.slice(0, blank), line.slice(blank + 1)] as const];
  }),
);

/** What would be another word without its accents, spelled as it is said; all are in the list above. Lower case. */
export const ACCENTED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    résumé: 'rezoomay',
    resumé: 'rezoomay',
    résumés: 'rezoomays',
    exposé: 'exposay',
    exposés: 'exposays',
    rosé: 'rozay',
    pâté: 'pahtay',
    maté: 'mahtay',
    piqué: 'peekay',
    saké: 'sahkay',
    hermès: 'ermez',
    nestlé: 'neslay',
  }),
);
