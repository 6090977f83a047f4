import { folded } from './words.ts';

/** Words that mean the same in options and replies, by their beginnings, in all languages together. */
const subjects =
  `pick collect takeaway myself fetch abhol hole selbst retrait retir cherch recuper emport busc recog recoj recej ritir vengo passo paso afhal ophal haal levant odbi osobi podja zabier zabior wezm sam osobisc przyjad
deliver bring liefer vorbei schick send ship livr apport domicil envi llev traig traer mand consegn port spedi bezorg breng thuis stuur entreg traz traga mand dostaw dowie dowiez przywi przywo kurier haus home
keep stay leave lass lasst behalt bleib gard laiss conserv manten manten mantien dej deje dejar dejen lasci tien rest hou houden behoud laat staan laten mant deix fica zostaw zostan zostaj
move change reschedul postpon verschieb verleg andern deplac chang repouss report cambi aplaz mover spost rimand verzet verplaats muda remarc adiar adie alter przeloz przesun zmien przeni
cancel storn absag annul anul cancell disdi disdett afzeg desmarc odwol
outside outdoor terrac terrass draussen garten dehors exterieur terraz fuera fuori estern aperto aria buiten terras fora esplanad varand taras zewnatrz ogrod sun smok sonne rauch fum fumar fumo fume fumi fuma soleil sol sole zon roken slonc pal
inside indoor drinnen drin innen salle interieur dentro interior adentro intern binnen wewnatrz srodk sal wnetrz
tire tires tyre tyres reifen winterr sommerr rader wheels pneu roue neumatic rueda cubiert llanta gomm pneumatic ruote band winterb roda opon zimowk kola letnie
oil ol olwechsel vidange huile aceite olio olie oleo olej
inspect mot tuv kontroll controle technique itv revision keuring apk inspec vistoria przeglad roadworth hauptuntersuch
tooth toothach zahnschm schmerz weh pain hurt ache dent douleur mal muela duele dolor diente dolore denti male kies kiesp pijn zeer tand dor doi dente zab bol boli zeba zeby loch gat abscess swollen
clean cleaning reinig zahnreinig zahnstein detartr nettoy limpi igien pulizi gebits limpez higien czyszcz skaling kamien tartar plaque tandsteen sarro tartr
check checkup check kontroll vorsorge routine revision chequeo controllo visita control rotina przegl kontrol jahrlich
single einzel allein simple seul individual singol solo eenpers alleen solteir sozinh jednoosob jedynk poj alone eigen sola
double doppel zweibett frau paar couple deux doble matrimon pareja mujer esposa esposo marido marit mogli tweepers samen vrouw casal mulher dwuosob dwojk zona zone maz mezem wife husband partner mann mari femme doubl letto
meat steak beef fleisch viande boeuf carne terra ternera pollo vlees mies miesn wolow chicken hahnchen poulet kip rind
fish salmon seafood fisch lachs poisson saumon pescad mare pesce vis vismenu zalm peixe ryba ryby rybe rybn losos mar
vegetar vegan gemuse veg warzyw wege fleischlos legum verdur groent
small smaller smallest little menor kleiner minder klein petit pequen piccol mal mala maly male mniej mini
large larger larges big bigger biggest gross gros gro grand mayor groot groter grootst maior duz duza duzy duze najwiek wielk wieksz grande
medium middle mittler mitte milieu medio medium mittel moyen median medi midden middel sredn
basic standard cheap basis einfach gunstig billig base econom basic simple barat goedkoop podstaw tani tansz
premium complet full expensive komplett voll tout todo tutto compleet alles tudo pelny pelna peln wszystko teuer cher caro duur drog
bill invoic rechnung factur fattur fatur faktur payment charg zahl mahnung betal platn pagament rachun
support technic broken kaputt technik panne marche soporte averi supporto guast storing werkt suport avari wsparc awari fehler defekt repar
sales buy purchas kauf verkauf angebot vente achet venta compra vendit compr acquist verkoop kopen sprzeda kupi kupn
cut haircut trim spitzen pointes puntas punte puntjes pontas koncowk schneid schnitt haarschn coupe couper corte cortar taglio tagli knip strzyz obci podci
colour color dye farb couleur colora tenir tinte tint verf kleur pintar kolor farbow
blow brushing fohn asciug pieg escov suszen modelow peinad secar brush
wash wasch lav laver lavag lavad lavar shamp wassen myci umyc
long longer lang langer largo lungo lunga dlug longa longue
short shorter kurz court corto breve kort curt krot
morning vormittag matin manan mattin ochtend manha ran rano
afternoon nachmittag apresmid tarde pomerigg middag popoludn
evening abend soir noche sera avond noite wieczor
new neu nouveau nouvel nuev nuov nieuw novo nova now pierwsz first
card karte carte tarjeta carta kaart cartao kart kredyt credit
cash bar espece liquide efectivo contant dinheir gotowk
window fenster fenetre ventan finestr raam janel okn
aisle gang couloir pasill corrido gangp corred przejsc
exist bestehend bestand existant existent esistent bestaand istniej years jahren stammkund habitu cliente
repair repar reparat werkstatt riparaz naprawa napraw arregl consert herstel
advice advi berat conseil consej asesor consul consiglio advies aconselh porad
birthday birthdays anniversary celebrat geburtstag hochzeitstag jubilaum anniversaire cumplean aniversari complean verjaardag trouwdag jubileum urodzin rocznic
allerg gluten celiac coeliac zoliakie lactos laktos peanut nuts nuss erdnuss arachid cacahuet noci noten nozes orzech unvertrag intoleran
highchair highchairs chair chairs hochstuhl kinderstuhl kinderwagen stroller pram buggy wheelchair rollstuhl chaise trona seggiolone kinderstoel cadeirinha krzeselk
facial gesicht visage facial viso gezicht rosto twarz
massage massag masaj masag masaz massagg`
    .split('\n')
    .map((line) => line.split(' ').map(folded));

const byBeginning = new Map<string, Set<number>>();
for (const [subject, beginnings] of subjects.entries())
  for (const beginning of beginnings) {
    const known = byBeginning.get(beginning) ?? new Set();
    byBeginning.set(beginning, known.add(subject));
  }

/** Endings that a short beginning may have: more letters make it another word. */
const longestTail = 10;
const shortestBeginning = 4;

/** The subjects that a word belongs to. */
export function subjectsOf(word: string): ReadonlySet<number> {
  const found = new Set<number>(byBeginning.get(word));
  for (let length = Math.max(shortestBeginning, word.length - longestTail); length < word.length; length += 1)
    for (const subject of byBeginning.get(word.slice(0, length)) ?? []) found.add(subject);
  return found;
}

/** Words that tell no option from another. */
export const idleWords = new Set(
  `says describes something caller asks wants us not you your our they them the a an and or of for to in on at with is it i me my we one that this please want would like take have need
   der die das den dem ein eine einen und oder von für zu in auf bei mit ist es ich wir mir uns bitte möchte hätte nehme
   le la les l un une des du de d et ou pour à au en avec est c je on nous svp voudrais prends
   el la los las un una de del y o para a al en con es yo me por favor quiero quisiera
   il lo la i gli le un una di del della e o per a al alla in con è io mi vorrei prendo
   de het een en of van voor naar in op bij met is ik we graag wil neem
   o a os as um uma de do da e ou para em no na com é eu por favor quero queria lá
   i lub albo czy w z na do dla jest ja to proszę poproszę chcę chciałbym`
    .split(/\s+/)
    .map(folded),
);
