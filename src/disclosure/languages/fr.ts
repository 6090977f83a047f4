import type { LanguageData } from '../language.ts';

/** French. */
export const fr: LanguageData = {
  code: 'fr',
  headFinal: false,
  terms: [
    'intelligence|intelligences ~3 artificielle|artificielles',
    "intelligence tout ce qu'il y a de plus artificielle",
    'intelligence ,? oui|certes ,? mais artificielle',
    'artificiellement intelligent|intelligente',
    'artificial intelligence',
  ],
  acronyms: 'IA AI IAs',
  agentNouns: `assistant* agent agente agents bot *bot chatbot callbot voicebot robot* automate* réceptionniste opérateur
    opératrice système systeme voix standardiste standard concierge secrétaire hôte hôtesse conseiller conseillère
    interlocuteur interlocutrice téléconseiller téléconseillère télévendeur télévendeuse téléopérateur téléopératrice
    machine programme logiciel ordinateur entité personnage avatar collègue compagnon serveur serveuse guide créature
    majordome vendeur vendeuse employé employée aide correspondant correspondante répondeur modèle concierges
    collaborateur collaboratrice coach copilote intervieweur enquêteur enquêtrice hotliner représentant
    représentante ami amie majordomes messager messagère porte-parole dispositif outil interface`,
  links: `de d' du des à par sur avec basé* fondé* doté* dotee propulsé* alimenté* animé* piloté* géré* généré*
    assisté* dopé* équipé* issu* motorisé* conçu* créé* construit* boosté* reposant fonctionnant utilisant tournant
    qui repose fonctionne tourne marche l' la une un moyen grâce base type nourri* bourré* fait* mû mue entièrement
    uniquement carburant créée créé opéré* actionné* boostée`,
  modifiers: `virtuel* digital* numérique* vocal* vocaux téléphonique* nouveau nouvelle nouvel automatique* automatisé*
    intelligent* conversationnel* petit petite jeune humble simple vrai vraie véritable pure pur grand grande bon bonne
    gentil gentille sympathique aimable charmant charmante super toute tout dernière dernier propre fidèle dévoué*
    personnel* officiel* attitré* préféré* bavarde bavard génératif* générative* autonome* interactif* interactive*
    dédié*  présente présent sacrée sacré brave belle beau modeste excellente excellent joyeuse joyeux
    parlant* maison multilingue* bilingue* basé* commercial* médical* client clientèle accueil service téléphone
    rendez-vous rdv réservation* relation nuit garde maligne malin polie poli`,
  otherNouns: `équipe* entreprise* société* startup start-up pôle labo laboratoire* expert experts experte expertes
    spécialiste* consultant* ingénieur* développeur* développeuse* chercheur* chercheuse* responsable* chef cheffe
    directeur directrice formateur formatrice professeur* prof cours formation* atelier* conférence* projet* produit*
    solution* offre* démonstration politique loi groupe institut école académie boutique magasin* usine studio*
    département* division* unité* bureau cabinet* stratégie* fondateur fondatrice créateur créatrice vendor fournisseur*
    technologie* événement salon webinaire* newsletter podcast prix conseil consulting agence* service services filiale
    secteur domaine étudiant* doctorant* passionné* fan abonnement mise salarié* association club centre licence
    master stage emploi poste métier recherche chef juriste avocat* salles ltd sas sarl sa inc lab labs solutions
    group academy school engineer manager lead partner partners hub`,
  determiners: `un une des le la les l' votre vos notre nos ton ta tes mon ma mes son sa ses leur cette cet ce ces
    celle celui quelque`,
  adverbs: `juste simplement seulement vraiment réellement uniquement purement aussi maintenant aujourd' hui ici
    actuellement honnêtement fièrement entièrement complètement totalement littéralement effectivement absolument
    strictement techniquement officiellement encore toujours également donc bien tout bel même certes exactement
    précisément franchement évidemment bêtement désormais actuellement exclusivement intégralement heureusement
    présentement véritablement clairement déjà plus quelque pleinement carrément directement justement
    pourtant cependant toutefois sincèrement carrement concrètement`,
  asides: [
    "ce qu'on ~2 appelle|nomme",
    "ce que|qu' ~2 appelle|nomme|appellent",
    'en fait|réalité|vérité|effet|somme|résumé|clair|bref|direct|personne',
    'bien sûr|entendu|évidemment',
    'à vrai dire',
    'tout à fait|simplement|bonnement|bêtement',
    'pour être|etre ~1 honnête|honnete|précis|précise|franc|franche|exact|exacte|transparent|transparente|clair|claire|sincère',
    'pour tout vous|te dire',
    'pour ne rien vous|te? cacher',
    'je ~2 avoue|précise|confesse|reconnais|rassure|confirme|assure',
    'comme vous|tu ~4',
    'de pied en cap',
    "d' ailleurs",
    'à 100 %',
    '100 %',
    '100%',
    'cent pour cent',
    'de fait',
    "jusqu' au bout ~4",
    'au fait',
    'ni plus ni moins',
    'pour le moment',
    "pour l'instant",
    "aujourd' hui",
    'en ce moment',
    'quant à moi',
    'pour ma part',
    'de mon état',
    'pour votre ~2 information',
    'en toute|pleine ~1 transparence|franchise|honnêteté',
    'on|il faut ~1 dire',
    "s'il vous|te plaît",
    'croyez-le ou non',
    'rien de moins',
    'à votre service|écoute|disposition',
    'par souci de transparence',
    'pour la|être? ~1 transparence',
    'moi aussi',
    'moi même',
    "à l'heure actuelle",
    'à présent',
  ],
  functionWords: `y de d' du à au aux avec dans en par pour sur sous chez vers entre sans depuis pendant comme si quand où
    lorsque lorsqu' dont qui que qu' quoi parce puisque afin ainsi selon contre derrière devant après avant lors plus
    moins très trop suis es êtes sommes être était`,
  after: `appelé* ici nommé* baptisé* prénommé* conçu* créé* développé* entraîn* formé* programmé* qui que
    aussi bien plus capable spécialisé* chargé* mis* au à également maintenant désormais tout toute et donc dédié*
    disponible prêt* disant agissant opérant travaillant œuvrant oeuvrant répondant entièrement sympa`,
  genitives: "de d' du des chez pour à au aux en numéro n° no par",

  self: [
    "je|j' suis",
    'moi je suis',
    "je|j' ne? suis qu'|que",
    "j' suis",
    "je|j' ~2 suis ~2 fier|fière|heureux|heureuse|ravi|ravie|contente|content d'être",
    "je|j' ~2 suis ~3 propuls*|anim*|pilot*|génér*|aliment*|gér*|mue|mû|dop*|équip* par|à|avec|de|d'",
    "je|j' ~2 suis ~2 basé*|fond* sur",
    "je|j' ~2 fonctionne|marche|tourne|carbure|opère|raisonne ~2 à|avec|sur|par|de|grâce|moyen|aide à? d'?|de?",
    "je|j' ~4 parle|réponds|appelle|contacte|adresse|accueille|sers|interviens|exprime ~4 en tant|qualité que|qu'|d'|de",
    "je|j' , @ ,",
    'moi , @',
    "@ ~4 ,? c' est|était ~1 moi",
    "@ ~3 ,? ~2 ,? c' est moi",
    "à|a l' appareil|écoute ,? @",
    "c' est moi ,? @",
    '@ …2 , autrement|soit dit ~1 moi',
    "@ …2 c'est-à-dire ,? moi",
    '@ ~3 ,? à|a savoir|dire ,? moi',
    "c' est|à moi , @",
    '@ …3 : moi',
    'considérez|voyez moi ~1 comme',
    "je|j' ~3 présente ~1 comme",
    "ce que je suis ,? c'est",
    'ma nature ~1 est ~1',
    "je|j' ~1 reste|demeure",
    "j' ai ~3 d'être",
    "le fait d'être",
    'nous ,? les @',
    "je|j' ne|n' suis|ai",
    "je|j' ~1 fais partie des",
    "@ ~2 que|qu' je|j' suis",
    'voilà|voila ce que je suis , @',
    'votre serviteur|servante|dévoué|dévouée ~2 est',
    'le soussigné|soussignée ~3 est',
  ],
  roles: [
    "^ comme @ , je|j'",
    "en tant qu'|que @",
    "en qualité d'|de @",
    'étant @',
    "étant donné que je|j' suis",
  ],
  about: [
    'derrière|bout|côté|dans ~7 , il y a',
    'derrière|bout|côté|dans ~7 , y a',
    'le|la seul|seule qui|à ~1 est|être',
    "@ , ~3 , vous|te|t' ~1 répond|parle|accueille|appelle|contacte|écoute|aide|assiste|prend|assistera|aidera",
    '@ , ~3 , est ~1 à|en|au|a ~2 écoute|appareil|service|ligne|disposition|téléphone|fil',
    "l'|la|le agent|assistant|assistante|conseiller|conseillère|voix|robot qui|que ~4 est ~1",
    "c' est celle|celui d'|de|du",
    'vous|tu voilà ~4 avec|chez',
    "c' est ~1 par @ …3 que|qu' cet|cette|votre|ton|l'|la|le",
    "plaisir|honneur|joie de|d' parler|échanger|discuter|dialoguer à|avec",
    "l' agent|assistant|assistante ~5 est",
    "c' est bien? !qui|que|qu'",
    '^ ici ,',
    'pris|prise|pris* en charge ~1 par @',
    'géré*|assuré* ~1 par @',
    "vous|te|t' ~2 mis|mise ~1 en relation|contact avec",
    '@ pour les amis|intimes',
    'ceci|cela est',
    "ici c'?",
    'ici',
    "ici ,? c' est",
    'voici',
    'ici ~2 parle|répond',
    "vous|tu ~3 parlez|parles|discutez|discutes|conversez|échangez|échanges|dialoguez|dialogues|communiquez|communiques|interagissez|interagis|causez|causes|bavardez|bavardes|traitez|correspondez|adressez|adresses|papotez|papotes|jases|jasez|entretenez|tchattez|chattez ~4 à|avec|auprès d'?",
    "vous|tu|t' ~2 êtes|etes|es ~4 communication|ligne|relation|contact|conversation|téléphone|discussion|interaction|lien ~3 avec",
    "vous|tu|t' ~2 êtes|etes|es ~2 train de|d' ~1 parler|discuter|converser|échanger|dialoguer|communiquer|interagir|causer|bavarder|papoter|jaser|traiter|écrire ~1 à|avec",
    'vous|tu ~1 allez|vas ~2 parler|discuter|converser|échanger|dialoguer|être ~1 à|avec',
    "vous|tu ~1 venez|viens ~3 d'|de ~2 joindre|appeler|tomber ~1 sur?",
    "vous|tu|t' ~1 avez|as ~3 affaire|faire à|avec",
    "vous|tu|t' ~1 avez|as ~3 joint|contacté|appelé|composé|atteint|eu|rejoint|devant ~1",
    "vous|tu|t' ~1 êtes|es ~1 tombé|tombée|tombés|chez|reçu|accueilli|arrivé ~1 sur|chez|par",
    "vous|tu|t' ~1 êtes|es ~4 accueilli*|pris|prise|reçu*|servi*|assisté*|aidé*|guidé*|conseillé*|accompagné*|orienté*|appelé*|contacté*|renseigné* ~2 par",
    "c' est ~1 à|avec|par @ …4 que|qu' vous|tu|on ~3 parlez|parles|discutez|échangez|avez|êtes|es|as|allez|dialoguez|conversez|causes",
    "c' est ~1 @ ~7 qui|au|à ~3 répond*|parl*|accueill*|appel*|contact*|prend|occupe|gère|traite|téléphone|bout|appareil|décroch*|assiste|sert|aide|entend*|écoute|tient|assure",
    'y a ~1 @ …3 ici|au|bout|ligne|appareil|derrière',
    'derrière|au|à ~6 il y a',
    'derrière|au|à|dans ~6 y a',
    'derrière|au|à|dans ~6 ,? se cache|trouve|tient|dissimule',
    "derrière|au|à|dans|sur ~6 ,? c' est",
    'derrière|bout ~4 ,? vous|tu avez|as',
    'celui|celle|ceux ~1 qui|que ~6 est',
    "la|cette|ma|l' voix|personne|interlocutrice ~6 est ~1",
    "la|cette|ma voix ~6 celle|émane|provient|vient|appartient d'|à|de",
    'la|cette|ma voix ~6 est ~2 génér*|produit*|synthétis*|créé* par',
    "la|cette|ma voix ~6 est celle d'|de|du",
    'qui ~2 parle|parlez|répond|appelle ~3 est',
    'quoi vous parlez est',
    'à|avec qui ~5 est',
    'votre|ton|le interlocuteur|interlocutrice|conseiller|conseillère|correspondant|correspondante|contact|hôte|hôtesse|assistant|assistante|guide|réceptionniste|opérateur|opératrice|standardiste|agent|agente|secrétaire …5 est',
    'votre|ton|le interlocuteur|interlocutrice|correspondant|correspondante|conseiller|conseillère|assistant|assistante :',
    "cet|cette|votre|ton|ta|notre|l'|la|le|ce|vos|les appel|appels|numéro|conversation|échange|discussion|communication|ligne|standard|téléphone|accueil|permanence|entretien|réception|coup|chat|tchat|demande|service|message|dialogue|secrétariat|prise ~4 est|sera|sont|a|va|serez|étant ~3 pris*|gér*|assur*|trait*|pass*|effectu*|men*|condui*|émis|émise|réalis*|tenu*|confié*|opér*|géré*|assist*|initi*|dirig*|anim*|répondu ~3 par|à",
    "cet|cette|votre|ton|ta|notre|l'|la|le|ce appel|conversation|échange|discussion|communication|entretien ~3 a|se ~2 lieu|déroule|fait|tient ~1 avec",
    "l'|cet|cette appel|conversation ~2 provient|vient|émane d'|de",
    "@ ~7 vous|te|t' ~1 répond|réponds|parle|accueille|appelle|contacte|écoute|aide|assiste|guide|souhaite|téléphone|reçoit|sert|renseigne|accompagne|prend",
    '@ ~7 est|suis ~2 là|ligne|appareil|fil|écoute|service ~1 pour?|avec? vous|toi|te',
    "@ ~7 qui|que? ~1 vous|te|t' ~2 répond*|parle|accueille|appelle|contacte|écoute|aide|guide|souhaite",
    "@ ~7 répond|traite|gère|prend|assure|conduit|mène|tient|effectue|passe|s'occupe ~2 à|cet|cette|votre|vos|ton|tes|ce|le|la|l' ~1 appel*|conversation|échange|demande|téléphone|standard|entretien|ligne|accueil",
    "@ ~7 à|a l' appareil|écoute",
    '@ ~7 au bout|téléphone|standard',
    '@ ~7 à votre|ton service|écoute|disposition',
    '@ …5 en ligne',
    "un|une|l' autre? bout ~4 ,? c'est|c'était|il-y",
    'répond|parle|appelle|accueille ~2 : @',
    "vous|te|t' ~1 répond|parle|accueille|appelle|écoute ,? :?",
    'échangez|discutez|parlez|conversez|dialoguez|parle ~1 avec|à @',
    'nature|fonction|statut|identité :',
  ],
  names: [
    "je|j' m'appelle",
    "je|j' me nomme|prénomme",
    "mon nom|prénom ~2 est|c'est",
    "moi ,? c' est",
    "on m'appelle",
    'appelez moi',
    'on me surnomme|nomme|connaît',
    'moi ,',
  ],
  corrections: [
    'ou plutôt|enfin ,?',
    'plus précisément|exactement ,?',
    'pour être ~1 précis|exact|exacte|précise|honnête|clair|claire|franc|franche ,?',
    'ou ,? plus exactement|précisément ,?',
    "c'est-à-dire ,?",
    'autrement dit ,?',
    'je veux dire ,?',
    'enfin ,?',
    'plutôt ,?',
    'en fait ,?',
    'en réalité ,?',
    'à savoir ,?',
    'disons ,?',
  ],
  copulas: `est était`,
  fillers: `avez as un une le la les l' allô allo bonjour bonsoir salut coucou bienvenue cher chère madame monsieur mademoiselle mme m sachez notez sache
    note veuillez noter savoir informé informée informés rappelons rappelle précise précisons informe informons signale
    signalons préviens prévenons avertis avertissons merci votre votre appel d' de je j' nous on vous te t' le tiens
    tenons à informer préciser prévenir dire dis disons signaler rappeler dois devons doit oui non eh ben bon bah
    alors voilà attention information avis petite petit précision juste ah oh hé bref en transparence toute ici
    c' est pour moi aujourd' hui actuellement maintenant présentement ce moment avant commencer de tout d'abord
    important que qu' la loi oblige obligation légalement souhaite souhaitons voulons veux voudrais tient conformément
    pas secret sans cachotterie parce puisque comme car là là-dessus soyez sois assuré assurée bien au fait y a il
    simplement merci infos info conseil`,
  negations: `ne n' pas ni aucun aucune jamais rien nullement sans non guère nul nulle personne anti`,
  harmlessPhrases: [
    'aurez|auras|avez|as|savez|sais|pouvez ~1 peut être ~1 deviné|compris|remarqué|noté|entendu|constaté|déjà',
    "l' entendez|entends|savez|sais peut être",
    "n'|ne suis|est|parlez|parles|avez|as|êtes|es|sommes|reste|demeure ~2 qu'|que",
    'pas seulement|uniquement|juste|simplement',
    'pas que',
    "ne|n'? ~4 pas|point ~2 surpris|surprise|étonné|étonnée|peur|inquiétez|inquiète|paniquez|panique|étonnez|alarmez|cache|cacher|affolez ~2 que? qu'?",
    "pas de panique|secret|souci|problème|inquiétude|malentendu|mystère|surprise ,? que? qu'?",
    "ne|n' vous|te|t' ~1 étonnez|étonne|inquiétez|inquiète|cache|cachons|surprenez|affolez ~3 pas ~2 que? qu'?",
    "ne|n'? ~1 oubliez|oublie pas ~1 que? qu'?",
    "rien d'autre qu'|que",
    'sans aucun? doute|ambages|détour|détours|mystère|surprise|plus|cachotterie|cachotteries',
    "ne|n' cache|nie ~1 pas",
    'aucun doute|secret|mystère ,? que?',
    'non seulement|content',
    'pour ne rien ~2 cacher',
    'rien|plus ni moins',
    'si vous ~2 permettez|voulez|préférez',
    'si tu ~2 permets|veux|préfères',
    "vous n'êtes pas sans savoir",
    'autant ne pas ~3 cacher',
    'ne vous|te y? trompez|trompe pas',
    "n' ~1 est ~2 autre qu'|que",
    'si ~3 demandez|demandes|doutez|doutes|doute',
    "n'ayez|aie ~1 pas|aucune peur|crainte|inquiétude",
    'sans vouloir ~3',
    "n' ~1 y a|ait ~1 pas|aucun de|d'? secret|malentendu|doute|confusion|mystère|surprise",
    'pas peur',
  ],
  contrasts: 'mais seulement juste plutôt simplement uniquement',
  joints: 'et donc car alors or puis',
  that: "que qu' qui dont",
  conditions: `si s' lorsque quand lorsqu' supposons imaginons dès quelque dussiez`,
  doubts: `semblant peut crois croit croyez croient croyais croyait pense penses pensez pensent pensait pensiez imagine imagines
    imaginez suppose supposez supposent prétend prétends prétendez prétendent prétendue prétendu soi-disant demande
    demandes demandez demandent demandait doute doutez peut-être presque quasi quasiment semble semblent paraît rêve
    rêves aimerais plaisante blague rumeur prend prends confond confondent confondez prennent accuse accusent jurerait
    jurerais jure dirait dit disait dites prétexte souvent parfois généralement habituellement normalement
    probablement sûrement possible éventuellement pourrait pourrais pourriez peut-etre croire penser cru crut faillit
    rêvais entendu fausse faux faussement fera serez sera`,
  firstPerson: "je j' moi me m' nous",
  questions: `est êtes suis es avez as parlez parles savez sais saviez savais voulez veux qui que qu' quoi quand comment pourquoi où
    combien quel quelle croyez pensez peut puis pouvez peux dois faut aimeriez connaissez sont`,
  elsewhere: `demain end ends site web internet appli application hier courriel mail bientôt prochainement
    autrefois auparavant avant-hier nuit soirs weekend week-end partir tantôt
    parfois précédent précédente dimanche dimanches fermeture`,
  or: 'ou soit ni',
  humans: [
    "un|une|l'|d'|de ~2 humain|humaine|personne|homme|femme|dame|gars|fille",
    "d'? être|êtres humain|humains",
    'humain|humaine|humains',
    'vraie|vrai|vraies ~1 personne|personnes|gens|humain',
    "quelqu' un",
    'personne',
    'des gens|humains|hommes|personnes',
    'conseiller|conseillère|opérateur|opératrice|agent|collègue humain|humaine',
  ],
  humanIdioms: [
    'en chair et en os',
    "de chair et d'|de os|sang",
    'bel et bien ~1 humain|humaine|vivant|vivante',
    'en vrai de vrai',
    '100 % humain|humaine',
  ],
  places: 'ici bout fil ligne appareil téléphone là',
  vagueTerms: [
    'assistant|assistante|agent|agente|conseiller|conseillère|compagnon|système|service|serveur|réceptionniste|standard ~1 virtuel|virtuelle|vocal|vocale|digital|digitale|numérique|automatique|automatisé|automatisée|intelligent|intelligente',
    'assistant|assistante',
    'chatbot|voicebot|callbot|bot|robot',
    'ordinateur|machine',
    'appel automatique|automatisé',
    'répondeur',
  ],
};
