import { phrases, type Token, tokensOf } from './words.ts';

/** A question starts with these. */
const openings =
  phrases(`what|why|how|who|where|when|which|how much|do you|does it|is there|are there|are you|can you|can i|could you|is it|what's|whats|do i|is that|did you|have you|would it|will it|does that|but why|but what
  was|warum|wieso|wie|wer|wo|wann|welche|welcher|welches|wozu|wofür|weshalb|wie viel|haben sie|gibt es|ist das|können sie|kann ich|muss ich|sind sie|machen sie|aber warum|bieten sie|ist es|was ist
  quel|quelle|quels|quelles|pourquoi|comment|qui|où|quand|combien|est-ce que|c'est quoi|vous avez|avez-vous|il y a|qu'est-ce|faut-il|êtes-vous|peut-on|y a-t-il|à quoi|c'est combien|mais pourquoi
  qué|por qué|cómo|quién|dónde|cuándo|cuál|cuánto|cuánta|cuántos|tienen|tiene|hay|puedo|para qué|es necesario|y qué|y cuánto|pero por qué|y por qué|aceptan|incluye
  che|perché|come|chi|dove|quando|quale|quanto|quanti|cosa|che cosa|avete|c'è|posso|a cosa|ma perché|è possibile|accettate|e cosa|e quanto|come mai|qual è
  wat|waarom|hoe|wie|waar|wanneer|welke|hoeveel|heeft u|hebben jullie|is er|kan ik|zijn er|is dat|moet ik|waarvoor|hoezo|en wat|en hoeveel|wat kost
  o que|que|por que|porque|porquê|como|quem|onde|quando|qual|quanto|quanta|tem|vocês têm|há|posso|pra que|para que|mas pra que|mas porquê|e o que|e quanto|para quê|mas para que|pra quê
  co|dlaczego|po co|jak|kto|gdzie|kiedy|który|ile|czy|jaki|jaka|jakie|a ile|a co|a po co|a czemu|czemu|skąd`);

/** Before the question. */
const before =
  phrases(`and|but|yes|yeah|hi|hello|hey|good|great|thanks|thank you|by the way|also|then|what am i saying|what was i saying|you know what|guess what|how silly|how silly of me|sorry|uh|um|oh|wait|hold on|well|so|okay|excuse me|hm|hang on|before that|one question|quick question|actually|just
  und|aber|entschuldigung|äh|ähm|moment|ach|na ja|also|eine frage|verzeihung|sagen sie|sagen sie mal|tut mir leid|halt
  et|mais|pardon|excusez-moi|euh|attendez|ben|alors|ah|dites|dites-moi|bah|une question
  y|pero|perdón|perdone|disculpe|eh|espere|oiga|ah|a ver|una pregunta|bueno|es que
  e|ma|scusi|mi scusi|ehm|aspetti|senta|ah|una domanda|mi dica|no scusi
  en|maar|sorry|pardon|eh|wacht|ho|zeg|een vraag|wacht even|nou|even
  e|mas|desculpe|desculpa|hum|espera|olhe|ah|uma pergunta|diga-me|me diz|espere|peraí|escuta
  a|ale|przepraszam|yyy|chwila|zaraz|mam pytanie|proszę pani|proszę powiedzieć|halo|moment`);

/** True if a turn asks something. */
export function isQuestion(text: string): boolean {
  return asksSomething(text, tokensOf(text));
}

/** True if a turn asks something: a sentence that ends with a question mark, or one that starts like a question. */
export function asksSomething(text: string, tokens: readonly Token[]): boolean {
  let from = 0;
  for (let skipped = before.at(tokens, from); skipped; skipped = before.at(tokens, from)) from = skipped.to;
  if (isStrongOpening(tokens, from)) return true;
  return text.includes('?') || isIndirect(tokens);
}

/** A question mark is missing in many transcripts; then only the first words tell. */
function isStrongOpening(tokens: readonly Token[], from: number): boolean {
  const opening = openings.at(tokens, from);
  const shortest = 3;
  if (tokens.length - from < shortest) return false;
  return surely.has(tokens, from) || (opening !== undefined && !relative.has(tokens[from]?.word ?? ''));
}

/** Begin nothing but a question, although their first words alone may begin a statement. */
const surely =
  phrases(`is there|is it|is the|is your|is this|are there|are the|are your|are you|are dogs|are pets|are kids|are children|where is|where are|where can|where do|where does|when is|when are|when can|when do|when does|when will|can you tell|could you tell|can we bring|can i bring|may i bring|may we bring|does it|does the
  ist es|ist das|gibt es|wie ist|wie lange|wie viel|wie teuer|wie komme|wo ist|wo sind|wo kann|wann ist|wann haben|wann sind|können sie mir sagen
  quand est|quand sont|où est|où sont
  cuándo abren|cuándo es|dónde está|hay algún|hay alguna
  quando aprite|quando è|dove siete|dov'è
  waar is|waar zijn|waar kan|wanneer is|wanneer zijn|hoe laat|hoe lang
  quando abrem|quando é|onde fica|há algum|há alguma
  kiedy otwieracie|jak długo|jak dojechać`);

/** Within a sentence: "All I want to know is what time you close." */
const indirect =
  phrases(`find out how|find out what|find out when|find out where|find out if|find out whether|tell me how|tell me what|tell me when|tell me where|tell me if|tell me whether|ask how|ask what|ask when|ask where|ask if|ask whether|i want to know|i'd like to know|i would like to know|wanted to know|wanted to ask|want to ask|like to ask|i was wondering|i'm wondering|i wonder|can you tell me|could you tell me|do you know
  ich wollte fragen|ich möchte wissen|ich wüsste gern|wollte wissen|können sie mir sagen|könnten sie mir sagen
  je voudrais savoir|j'aimerais savoir|je voulais savoir|pouvez-vous me dire|vous pouvez me dire
  quiero saber|quería saber|quisiera saber|me gustaría saber|quería preguntar|puede decirme
  vorrei sapere|volevo sapere|volevo chiedere|può dirmi|mi sa dire
  ik wil weten|ik wilde weten|ik wilde vragen|ik vroeg me af|kunt u mij zeggen|kunt u mij vertellen
  queria saber|gostaria de saber|quero saber|queria perguntar|pode dizer-me|pode me dizer
  chciałbym wiedzieć|chciałabym wiedzieć|chciałem zapytać|chciałam zapytać|chcę wiedzieć|może mi pan powiedzieć|może mi pani powiedzieć`);

/** "That's all I wanted to know" asks nothing. */
function isIndirect(tokens: readonly Token[]): boolean {
  return tokens.some(
    (_, index) =>
      indirect.has(tokens, index) && !/^(just|only|all|what)$/.test(tokens[index - 1]?.word ?? ''),
  );
}

/** Also begin statements. */
const relative = new Set([
  'que',
  'che',
  'was',
  'is',
  'wie',
  'jak',
  'come',
  'como',
  'when',
  'quando',
  'porque',
  'tem',
  'ha',
  'hay',
  'qui',
  'wo',
  'posso',
  'puedo',
  'can',
  'could',
  'perche',
  'co',
  'muss',
  'tiene',
  'tienen',
  'hoe',
  'is',
  'ist',
  'il',
  'wer',
  'kann',
  'kan',
  'waar',
  'chi',
  'quand',
  'where',
  'incluye',
  'wanneer',
  'kiedy',
  'wann',
  'cuando',
]);

/** "Could we do Tuesday?" answers in the form of a question. */
const offers =
  phrases(`can i|can we|could i|could we|may i|shall we|would it be|how about|what about|do you have|maybe|is it possible|let's
  kann ich|können wir|könnte ich|könnten wir|darf ich|ginge|geht|ginge es|geht es|wie wäre es|wie wär's|haben sie|vielleicht|passt
  je peux|je pourrais|est-ce que je peux|pourquoi pas|on peut|pourrait-on|c'est possible|peut-être|disons
  puedo|podría|podemos|podríamos|puede ser|qué tal|quizás|tal vez|sería posible|me pone
  posso|potrei|possiamo|potremmo|può essere|magari|forse|è possibile|si può|va bene
  kan ik|mag ik|kunnen we|zou ik|kan het|misschien|mag het|lukt|zullen we
  posso|poderia|podemos|pode ser|talvez|dá para|será que|que tal|dá pra|poderíamos
  mogę|czy mogę|możemy|czy możemy|mógłbym|mogłabym|może|można|może być|a może`);

/** True if a turn asks for information, not for what it proposes. */
export function asksForInformation(text: string, tokens: readonly Token[]): boolean {
  if (!asksSomething(text, tokens)) return false;
  let from = 0;
  for (let skipped = before.at(tokens, from); skipped; skipped = before.at(tokens, from)) from = skipped.to;
  return !offers.has(tokens, from) && (openings.has(tokens, from) || surely.has(tokens, from));
}

/** True if a turn proposes something in the form of a question: "Could we sit outside?" */
export function proposes(tokens: readonly Token[]): boolean {
  let from = 0;
  for (let skipped = before.at(tokens, from); skipped; skipped = before.at(tokens, from)) from = skipped.to;
  return offers.has(tokens, from);
}
