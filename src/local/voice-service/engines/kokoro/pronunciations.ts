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
rampage R AE1 M P EY2 JH
romance R OW0 M AE1 N S
tears T IH1 R Z
teardrop T IH1 R D R AA2 P
winding W AY1 N D IH0 NG

beyonce B IY0 AA1 N S EY2
aoife IY1 F AH0
arya AA1 R Y AH0
bjork B Y AO1 R K
bjorn B Y AO1 R N
caoimhe K IY1 V AH0
camus K AE0 M UW1
chalamet SH AE1 L AH0 M EY2
daenerys D AH0 N EH1 R IH0 S
dhruv D R UW1 V
djokovic JH OW1 K AH0 V IH0 CH
dvorak D V AO1 R ZH AE2 K
eoin OW1 IH0 N
francois F R AA0 N S W AA1
gandalf G AE1 N D AA2 L F
goethe G ER1 T AH0
goku G OW1 K UW0
haaland HH AO1 L AH0 N D
hermione HH ER0 M AY1 AH0 N IY0
jinping JH IH2 N P IH1 NG
joaquin W AA0 K IY1 N
jurgen Y UH1 R G AH0 N
kamala K AA1 M AH0 L AH0
khaleesi K AH0 L IY1 S IY0
legolas L EH1 G AH0 L AA2 S
lewandowski L EH2 V AH0 N D AO1 F S K IY0
macron M AH0 K R OW1 N
malala M AH0 L AA1 L AH0
mbappe EH0 M B AA1 P EY0
messi M EH1 S IY0
mohammed M OW0 HH AA1 M AH0 D
muhammad M OW0 HH AA1 M AH0 D
naomi N EY0 OW1 M IY0
naruto N AH0 R UW1 T OW0
neymar N EY1 M AA2 R
nguyen W IH1 N
niamh N IY1 V
nietzsche N IY1 CH AH0
oisin OW0 SH IY1 N
persephone P ER0 S EH1 F AH0 N IY0
pikachu P IY1 K AH0 CH UW2
renee R AH0 N EY1
saoirse S ER1 SH AH0
sasuke S AA1 S K EY0
sauron S AW1 R AA0 N
schwarzenegger SH W AO1 R T S AH0 N EH2 G ER0
sephiroth S EH1 F ER0 AO2 TH
shakira SH AH0 K IH1 R AH0
sinead SH IH0 N EY1 D
siobhan SH IH0 V AO1 N
skywalker S K AY1 W AO2 K ER0
socrates S AA1 K R AH0 T IY2 Z
soren S AO1 R AH0 N
tadhg T AY1 G
targaryen T AA0 R G EH1 R IY0 AH0 N
timothee T IH1 M AH0 TH IY0
verstappen V ER0 S T AA1 P AH0 N
yusuf Y UW1 S AH0 F
zelensky Z AH0 L EH1 N S K IY0
zelenskyy Z AH0 L EH1 N S K IY0
zendaya Z EH0 N D EY1 AH0
zlatan Z L AA1 T AH0 N
zoe Z OW1 IY0
xavi SH AA1 V IY0
yosemite Y OW0 S EH1 M AH0 T IY0

cannes K AE1 N
kyiv K IY1 V
kyoto K IY0 OW1 T OW0
lyon L IY0 OW1 N
marseille M AA0 R S EY1
oaxaca W AH0 HH AA1 K AH0
phnom P AH0 N AA1 M
phuket P UW0 K EH1 T
qatar K AH0 T AA1 R
reykjavik R EY1 K Y AH0 V IH2 K
tbilisi T AH0 B IH0 L IY1 S IY0
versailles V ER0 S AY1
worcester W UH1 S T ER0
worcestershire W UH1 S T ER0 SH ER0
yerevan Y EH2 R AH0 V AA1 N

adidas AH0 D IY1 D AH0 S
airbnb EH1 R B IY2 EH2 N B IY1
asus EY1 S UW2 S
balenciaga B AH0 L EH2 N S IY0 AA1 G AH0
chatgpt CH AE2 T JH IY2 P IY2 T IY1
citroen S IH1 T R OW0 EH2 N
deepseek D IY1 P S IY2 K
discord D IH1 S K AO2 R D
duolingo D UW2 OW0 L IH1 NG G OW0
fortnite F AO1 R T N AY2 T
genshin G EH1 N SH IH0 N
givenchy ZH IY2 V AA0 N SH IY1
hermes HH ER1 M IY0 Z
huawei W AA1 W EY2
hyundai HH AH1 N D EY2
ikea AY0 K IY1 AH0
imac AY1 M AE2 K
ios AY2 OW2 EH1 S
ipad AY1 P AE2 D
iphone AY1 F OW2 N
lenovo L AH0 N OW1 V OW0
lidl L IY1 D AH0 L
loewe L OW0 EH1 V EY0
logitech L AA1 JH IH0 T EH2 K
lyft L IH1 F T
nvidia EH0 N V IH1 D IY0 AH0
oppo OW1 P OW0
peugeot P ER0 ZH OW1
pokemon P OW1 K IY0 M AA2 N
razer R EY1 Z ER0
roblox R OW1 B L AA2 K S
skyrim S K AY1 R IH2 M
spotify S P AA1 T AH0 F AY2
tiktok T IH1 K T AA2 K
uber UW1 B ER0
valheim V AE1 L HH AY2 M
valorant V AE1 L ER0 AH0 N T
venmo V EH1 N M OW0
vuitton V W IY0 T AA1 N
xbox EH1 K S B AA2 K S
xiaomi SH AW1 M IY0
zelda Z EH1 L D AH0

acai AH2 S AA0 IY1
aioli AY0 OW1 L IY0
aperitif AH0 P EH2 R AH0 T IY1 F
apropos AE2 P R AH0 P OW1
attache AE2 T AH0 SH EY1
bibimbap B IY1 B IH0 M B AA2 P
bidet B IH0 D EY1
boba B OW1 B AH0
bologna B AH0 L OW1 N Y AH0
bourgeois B UH0 R ZH W AA1
brulee B R UW0 L EY1
bruschetta B R UW0 S K EH1 T AH0
cafe K AH0 F EY1
charcuterie SH AA0 R K UW1 T ER0 IY0
chipotle CH IH0 P OW1 T L EY0
cliche K L IY0 SH EY1
coup K UW1
creme K R EH1 M
crepe K R EY1 P
croissant K R AH0 S AA1 N T
deja D EY1 ZH AA2
doge D OW1 ZH
edamame EH2 D AH0 M AA1 M EY0
entree AA1 N T R EY2
faux F OW1
fiance F IY2 AA0 N S EY1
fiancee F IY2 AA0 N S EY1
foie F W AA1
gnocchi N Y OW1 K IY0
gyoza G IY0 OW1 Z AH0
haute OW1 T
hors AO1 R
jalapeno HH AA2 L AH0 P EY1 N Y OW0
laissez L EH2 S EY1
macaron M AE2 K ER0 OW1 N
macchiato M AA2 K IY0 AA1 T OW0
masala M AH0 S AA1 L AH0
matcha M AA1 CH AH0
mojito M OW0 HH IY1 T OW0
naan N AA1 N
naive N AY0 IY1 V
oeuvre ER1 V R AH0
oeuvres ER1 V Z
omakase OW2 M AH0 K AA1 S EY0
pas P AA1
pate P AA0 T EY1
pho F AH1
pinata P IH0 N Y AA1 T AH0
prix P R IY1
quesadilla K EY2 S AH0 D IY1 Y AH0
queso K EY1 S OW0
quiche K IY1 SH
quinoa K IY1 N W AA2
ramen R AA1 M AH0 N
ricotta R IH0 K AA1 T AH0
saute S AO0 T EY1
sashimi S AA0 SH IY1 M IY0
segue S EH1 G W EY2
sommelier S AH2 M AH0 L Y EY1
sriracha S IH0 R AA1 CH AH0
tikka T IY1 K AH0
tortilla T AO0 R T IY1 Y AH0
touche T UW0 SH EY1
tzatziki T S AA0 T S IY1 K IY0
udon UW1 D AA0 N
voila V W AA0 L AA1
vis V IY1
rezoomay R EH1 Z UH0 M EY2
exposay EH2 K S P OW0 Z EY1
rozay R OW0 Z EY1
pahtay P AA0 T EY1
mahtay M AA1 T EY2
peekay P IY0 K EY1
sahkay S AA1 K EY0

afterparty AE1 F T ER0 P AA2 R T IY0
anime AE1 N IH0 M EY2
baka B AA1 K AH0
bestie B EH1 S T IY0
bot B AA1 T
bruh B R AH1
captcha K AE1 P CH AH0
catfish K AE1 T F IH2 SH
coulda K UH1 D AH0
covid K OW1 V IH0 D
crypto K R IH1 P T OW0
cuz K AH1 Z
doomscroll D UW1 M S K R OW2 L
doomscrolling D UW1 M S K R OW2 L IH0 NG
emoji IH0 M OW1 JH IY0
emote IY1 M OW2 T
esports IY1 S P AO2 R T S
gacha G AA1 CH AH0
gamer G EY1 M ER0
gif G IH1 F
gonna G AH1 N AH0
gotcha G AA1 CH AH0
gyatt G Y AE1 T
haha HH AA1 HH AA2
hahaha HH AA1 HH AA2 HH AA2
headshot HH EH1 D SH AA2 T
hehe HH EH1 HH EH2
hiya HH AY1 Y AH0
hmm HH AH1 M
huh HH AH1
isekai IH1 S EH0 K AY2
jpeg JH EY1 P EH2 G
kawaii K AH0 W AY1 IY0
kinda K AY1 N D AH0
livestream L AY1 V S T R IY2 M
livestreamer L AY1 V S T R IY2 M ER0
meme M IY1 M
mhm AH0 M HH AH1 M
mmorpg EH2 M EH2 M OW2 AA2 R P IY2 JH IY1
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
char CH AA1 R
chmod CH M AA1 D
chromebook K R OW1 M B UH2 K
codec K OW1 D EH2 K
config K AH0 N F IH1 G
cron K R AA1 N
daemon D IY1 M AH0 N
deepfake D IY1 P F EY2 K
debian D EH1 B IY0 AH0 N
devops D EH1 V AA2 P S
django JH AE1 NG G OW0
docker D AA1 K ER0
enum IY1 N AH2 M
ethernet IY1 TH ER0 N EH2 T
ethereum IH0 TH IH1 R IY0 AH0 M
frontend F R AH1 N T EH2 N D
github G IH1 T HH AH2 B
gitlab G IH1 T L AE2 B
gnome G N OW1 M
graphql G R AE2 F K Y UW2 EH1 L
grep G R EH1 P
hotfix HH AA1 T F IH2 K S
init IH0 N IH1 T
json JH EY1 S AH0 N
kubectl K Y UW1 B K AH0 N T R OW2 L
kubernetes K UW2 B ER0 N EH1 T IY0 Z
latex L EY1 T EH2 K S
lidar L AY1 D AA2 R
linux L IH1 N AH0 K S
localhost L OW1 K AH0 L HH OW2 S T
malware M AE1 L W EH2 R
middleware M IH1 D AH0 L W EH2 R
mongodb M AA1 NG G OW0 D IY2 B IY2
mysql M AY2 EH2 S K Y UW2 EH1 L
nginx EH1 N JH IH0 N EH2 K S
npm EH2 N P IY2 EH1 M
numpy N AH1 M P AY2
opus OW1 P AH0 S
plugin P L AH1 G IH2 N
postgre P OW1 S T G R EH0
postgres P OW1 S T G R EH0 S
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
scipy S AY1 P AY2
sql S IY1 K W AH0 L
sqlite S IY1 K W AH0 L AY2 T
stderr S T AE1 N D ER0 D EH2 R ER0
sudo S UW1 D UW0
svelte S V EH1 L T
tensorflow T EH1 N S ER0 F L OW2
terraform T EH1 R AH0 F AO2 R M
tuple T UW1 P AH0 L
ubuntu UW0 B UW1 N T UW0
ui Y UW2 AY1
unicode Y UW1 N IH0 K OW2 D
vite V IY1 T
vue V Y UW1
wav W EY1 V
webpack W EH1 B P AE2 K
webp W EH1 P IY0
websocket W EH1 B S AA2 K IH0 T
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
  }),
);
