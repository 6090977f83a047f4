/** "The number I'm calling from", in the languages of the disclosure rule. */
const ownNumber = new RegExp(
  [
    String.raw`(?:this|the) (?:same )?(?:number|one|phone)\b.{0,12}\b(?:calling|call|phoning|ringing) (?:you )?(?:from|on|with)`,
    '(?:number|one) (?:that )?(?:you see|on your (?:display|screen))',
    String.raw`^\W*(?:just |on |use |yes,? )*this (?:number|one)(?: is fine| here|,? please)?\W*$`,
    'nummer,? (?:von|mit) der ich (?:gerade )?anrufe',
    '(?:unter|auf) dieser nummer',
    "numéro (?:d'où|duquel|avec lequel|depuis lequel) (?:je vous |j')?appelle",
    'ce numéro[- ](?:ci|même)',
    'número (?:desde|del) (?:el )?(?:que|cual) (?:le |les |os |te )?(?:llamo|estoy llamando)',
    'este mismo número',
    'numero da cui (?:la |vi |ti )?(?:chiamo|sto chiamando)',
    'questo (?:stesso )?numero',
    'número (?:de|do|com) (?:que|qual) (?:lhe |vos )?(?:ligo|estou a ligar|estou ligando)',
    'este número mesmo',
    'nummer waar(?:mee|van(?:af)?) ik (?:nu )?bel',
    'dit nummer',
    'numer,? z którego (?:teraz )?dzwonię',
  ].join('|'),
  'iu',
);

/** True if the caller wants to be called on the number that they call from. */
export function meansOwnNumber(text: string): boolean {
  return ownNumber.test(text);
}
