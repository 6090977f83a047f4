import type { LanguageData } from '../language.ts';

/** English. */
export const en: LanguageData = {
  code: 'en',
  headFinal: true,
  terms: ['artificial intelligence', 'artificially intelligent', 'artificial-intelligence'],
  acronyms: 'AI AIs',
  agentNouns: `assistant agent bot *bot chatbot voicebot robot receptionist operator system voice concierge helper
    secretary companion attendant representative rep caller machine colleague host hostess butler clerk dispatcher
    scheduler coordinator telephonist interviewer program programme software model service interface entity
    creature character persona avatar teammate answerer greeter librarian waiter sidekick buddy friend thing
    associate switchboard line`,
  links: 'that uses based on powered by driven run with using running built of form kind type piece',
  modifiers: `virtual digital new voice phone telephone telephonic automated automatic smart intelligent
    conversational customer service support intake clinic friendly powered based driven generated enabled operated run
    controlled talking speaking call calling booking reservation reservations scheduling appointment appointments
    answering front desk helpful personal official resident own young little humble very latest live 24/7 reception
    night after-hours office sales care chat messaging generative advanced`,
  otherNouns: `free proof savvy literate certified team teams department company companies firm startup lab labs software-company expert experts consultant
    consultants consultancy engineer engineers developer developers specialist researcher manager lead director
    trainer teacher tutor course courses class workshop conference project product products solution solutions
    demo policy act law research group institute academy school shop store ltd inc gmbh factory studio hub division
    desk unit office initiative strategy strategist enthusiast ethicist founder owner creator maker salesman
    salesperson vendor seller supplier provider tools training technology technologies summit event webinar
    newsletter podcast magazine award rollout update upgrade trial`,
  determiners: 'a an the your our its my this his her their some one these those',
  adverbs: `just only really actually entirely simply merely purely also now today here currently honestly proudly
    fully completely totally literally indeed basically quite very truly absolutely 100 % 100% strictly technically
    officially still already both happily though however obviously proud frankly again`,
  asides: [
    'one of',
    'what they|you|people|some|folks ~1 call|called|refer',
    'in fact|truth|reality|short|other',
    'of course',
    'by the way',
    'to be ~1 clear|honest|frank|precise|exact|fair|sure|specific|transparent',
    'hundred percent|per cent?',
    'i ~1 confess|admit|say|must|add',
    "i 'm ~1 afraid|happy|proud|told",
    'as it happens',
    'as you ~3 notice|noticed|hear|heard|guessed|know',
    'through and through',
    'believe it or not',
    'you see',
    'you know',
    'in case you ~4',
    'at your service',
    'after all',
    'if you ~1 like|will|prefer',
  ],
  functionWords: `of from for about with by in on at to into onto over under through behind between than like as if unless
    who whom whose which what when where why how whether while because since i you he she it we they me him us them
    is are was were be been being am do does did has have had will would can could shall should may might must
    there here not 's 're 'm 've 'll 'd`,
  verbs:
    "are was were be do does did has have had will would can could shall should may might must 've 'll 'd 're",
  after: `here speaking talking calling answering *ing now today too also myself itself trained built made created
    designed developed named called known who that rather instead either please ask say tell though although
    entirely through right all currently actually by and so not never run operated owned employed`,
  genitives: 'of for at from with',
  self: [
    'i am',
    "i 'm",
    'i ~1 happen to be',
    "i am|'m ~2 proud|happy|pleased|glad|delighted|here to be",
    "i run|operate|work|am|'m ~1 on|powered|driven by?",
    'am i ,? @',
    'i , @ ,',
    'i ~3 work|speak|act|serve|answer|operate ~4 as',
    'me , @',
    'here|speaking , @',
    "@ …6 that is|'s me",
    '@ …2 namely|meaning|i.e ,? me|myself',
    'me being @',
    'myself being @',
    'think of me as @',
    'what i am is @',
    'we ,? the? @',
  ],
  roles: ['as @ ,? i|my', 'being @ ,? i|my'],
  about: [
    "you have|'ve been ~1 connected|transferred|passed through? to|with",
    "what|who you hear|'re|are hearing? is|'s",
    'this message|recording|survey|announcement ~1 is|was ~1 delivered|spoken|read|made|sent by @',
    "@ …6 is|'s conducting|leading|hosting|managing|running|attending|responding",
    'this is',
    "here is|'s",
    "it is|'s !that|which",
    "you are|'re|will|'ll ~3 speaking|talking|chatting|dealing|connected|interacting|communicating|conversing|corresponding|messaging|texting|engaging to|with",
    "you are|'re ~2 on the line|phone|call with|to",
    "you are|'re ~2 on with|to",
    "you are|'re ~1 through to",
    "you are|'re ~1 in ~1 conversation|contact|touch|communication with",
    "you have|'ve|all ~2 reached|got|called|rung|contacted",
    "you have|'ve ~1 got ~1 @ on the|this line|phone|other",
    "y'all have reached",
    'you reached',
    'speaking|talking to you ~1 is',
    "who|what|whom you are|'re ~2 speaking|talking|chatting to|with ~2 is|'s @",
    "the one|person|party|voice|agent|caller|thing|assistant|operator|receptionist|service …7 is|'s ~1 @",
    "this|the|your ~1 assistant|agent|voice|caller ~6 is|'s ~1 @",
    "this|the|your ~1 assistant|agent|voice|caller ~6 is|'s powered|driven|run|operated|controlled by @",
    'all|our|these|where ~1 calls are answered|handled|taken by @',
    "this|my|the voice ~6 is|'s|belongs ~1 @",
    'the|this|my voice ~6 that of @',
    "your ~2 interlocutor|counterpart|caller|contact|assistant|agent|host|operator|receptionist|representative|guide|helper|captain|conversation ~4 is|'s @",
    "this|your|the|our ~1 call|calls|conversation|chat|phone|phones|line|enquiry|inquiry|request|exchange|session|number ~1 is|'s|are|has|will ~3 handled|answered|taken|managed|made|placed|conducted|operated|attended|hosted|led|picked|run|staffed|initiated|served|fielded up? ~1 by @",
    "this|your|the ~1 call|conversation|chat|exchange ~1 is|'s|has|will ~3 carried out by @",
    "this|your|the ~1 call|conversation|chat|exchange ~1 is|'s ~1 with @",
    'this is ~4 call|message|reminder|survey|announcement ~1 made|placed|generated|delivered|sent|brought|conducted|from by? @',
    'this|your call ~1 comes|coming ~1 from @',
    "you are|'re|will ~2 called|helped|served|assisted|answered|greeted|looked|contacted|attended after|by|to by? @",
    "@ …8 is|'s|has|am ~3 speaking|talking|calling|answering|handling|taking|answered|picked|greeting|helping|assisting|serving ~1 you|this|your|here|up|the|now",
    '@ …8 answers|handles|takes|runs|manages|conducts|makes this|your|the ~1 call|calls|line|conversation|phone',
    '@ …8 speaking',
    '@ …6 here !is|was|are|has|will|can|cannot',
    '@ …8 at your service',
    '@ …6 on the|this ~1 line|phone|end',
    "there is|'s ~1 @ on|at the|this|your",
    "on|at this|the|other ~2 end|line|phone ~2 is|'s @",
    "the name 's ~1 @",
    'has|have ~2 answered|greeted by @',
    "is|'s @ speaking|talking|calling|here",
    'that is @ talking|speaking',
    'belongs to @',
  ],
  names: [
    "my name is|'s",
    'i am called',
    'they call me',
    'i go by',
    "name is|'s",
    'speaking with',
    'call me',
    'got me',
    'just|only me',
    "it is|'s me",
  ],
  corrections: [
    'which|that is to say ,?',
    'or rather ,?',
    'more precisely ,?',
    'to be ~1 precise|exact|clear|honest|specific ,?',
    'more exactly ,?',
    'that is ,?',
    'in other words ,?',
    'i mean ,?',
  ],
  copulas: "is 's am was are",
  fillers: `line rules out point hello hi hey good morning afternoon evening day welcome dear mr mrs ms sir madam please note know known knows
    that be aware informed advised remember thanks thank you for your calling call information let me inform tell
    remind mention say point out just so we i would 'd like to you should must wanted want make clear it is 's
    disclosure disclose note notice currently presently right today now yes well and but because since as so this
    before start begin go any further going we're we 're must required obliged legally law by have need can the
    transparency reasons of course interest`,
  negations: `no not never neither nor n't 't without none nobody nothing cannot isn ain aren wasn don doesn hardly
    barely anything instead unlike non`,
  harmlessPhrases: [
    'i|we should|must|might|may|could ~1 mention|say|add|tell|point|note|stress|warn|admit|confess out? you? that?',
    'you should|must|may|might ~1 know|note|understand that?',
    "'t|not|no|never ~3 surprise|surprised|alarmed|afraid|fooled|forget|worry|hide|deny|shy|mind|secret|wonder that?",
    'not only',
    'not just',
    'not merely',
    "don 't worry",
    'do not worry',
    "don 't be ~1 surprised|alarmed|afraid|shy|worried|fooled that?",
    'do not be ~1 surprised|alarmed|afraid|worried that?',
    "don 't forget that?",
    'do not forget that?',
    'no doubt',
    'no problem',
    'nothing but',
    'none other than',
    'no other than',
    'why not',
    'in case you ~4',
    'if i may ~3',
    'if you like',
    "if you don 't mind",
    'as you may ~2 know',
    'you may ~1 know',
    "i can 't|not hide|deny that?",
    'i cannot hide|deny that?',
    'no secret that?',
    'you may ~1 notice|hear',
    "can 't help",
    'no less',
    'if anything',
    'if you ~1 wonder|ask|wondering|asking',
    'no mistake',
    'no ~1 misunderstanding',
    'no confusion',
  ],
  contrasts: 'but just only rather instead merely simply',
  joints: 'and so because plus though although',
  that: 'that',
  conditions: 'if unless when whenever should once provided suppose supposing imagine were',
  doubts: `think thinks thought believe believes believed guess suppose imagine pretend pretending pretends ask asks
    asked asking wonder wondering wonders whether claim claims dream joke jokes joking accuse accused rumour heard
    maybe perhaps possibly might may could probably sometimes usually normally often almost nearly practically
    virtually seem sound sounds seems mistake mistaken wish hope rather would want wants soon later
    once anything far opposite used trying supposedly allegedly say says called so-called
    suspect suspects swear`,
  firstPerson: 'i me my myself',
  questions: `do does did are is am was were have has had can could would will should may might what who whom why
    when where how which want wanna shall`,
  elsewhere: `website site app online portal email yesterday tomorrow soon later next last monday tuesday wednesday
    thursday friday saturday sunday month week year formerly previously earlier night weekend weekends sometimes`,
  or: 'or nor either',
  humans: [
    'human',
    'person',
    'a ~2 human',
    'the ~1 human',
    'a ~2 person',
    'real person',
    'real human',
    'people',
    'humans',
    'human beings?',
    'real people',
    'a ~2 man|woman|lady|guy',
    'the real ~2 person|human',
    'no one',
    'anyone',
    'anybody',
    'somebody',
    'someone',
  ],
  humanIdioms: [
    'flesh and blood',
    'flesh-and-blood',
    'living and breathing',
    'live human',
    'a ~1 human voice',
    'real human',
  ],
  places: 'here end line phone side desk',
  vagueTerms: [
    'virtual|digital|automated|automatic|voice|phone|smart|intelligent ~1 assistant|agent|helper|receptionist|operator|system|service|concierge|companion|colleague|advisor',
    'assistant',
    'chatbot|voicebot|bot|robot',
    'computer',
    'automated ~1 call|system|service|message',
  ],
};
