/**
 * Synonyms, one group a line: the words of callers for the words of pages, and forms that no stemmer joins. Everyday
 * words only, and none of a single trade.
 */
const groups: Readonly<Record<string, string>> = {
  english: `
    price cost costs fare fee charge rate tariff
    pay paid payment
    refund reimbursement repayment repay repaid
    discount reduction reduced cheaper concession
    free complimentary
    buy bought purchase
    sell sold sale
    rent hire rental lease borrow lend
    book booked booking reserve reservation
    cancel cancelled cancellation withdraw
    child children kid kids
    baby babies infant toddler
    pensioner senior seniors elderly retired
    man men
    woman women
    person people customer guest
    staff crew employee employees personnel
    job jobs vacancy position employment
    apply application applicant
    salary wage wages pay
    bike bikes bicycle bicycles cycle
    car cars vehicle automobile
    motorbike motorcycle
    lorry truck
    bus coach
    train railway rail
    plane aircraft flight
    luggage baggage suitcase suitcases bag bags
    stroller pram pushchair buggy
    parcel package packet
    letter mail post
    send sent ship shipping
    phone telephone mobile cellphone smartphone
    call ring telephone
    email mail
    internet wifi wi-fi wlan online
    computer laptop notebook
    lose lost loss
    find found
    steal stolen theft
    break broke broken damage damaged
    repair mend fix
    sick ill illness unwell
    doctor physician
    medicine medication drug drugs
    disabled disability handicapped accessible accessibility
    lift elevator
    toilet toilets lavatory restroom bathroom
    pet pets animal animals
    eat ate eaten food meal meals
    drink drank drunk beverage
    breakfast lunch dinner meal
    restaurant canteen dining
    smoke smoking cigarette
    forbidden prohibited banned allowed permitted
    rule rules regulation
    early earlier earliest
    late later latest delay delayed
    open opening opened
    close closed closing shut
    begin began begun start
    end finish ended
    leave left depart departure
    arrive arrival
    go went gone
    come came
    fast quick quickly speed
    long length duration
    tall height high
    wide width
    heavy weight weigh
    big large
    small little
    vacation holiday holidays
    trip journey travel
    ticket tickets pass
    timetable schedule
    hour hours time
    yearly annual year
    monthly month
    weekly week
    daily day
    invoice bill receipt
    complaint complain complaints
    lawyer legal law
    insurance insured liable liability
    voucher coupon gift
    deposit down-payment prepayment
    proof evidence certificate document
    identity passport id
    picture photo photograph image
    video film footage recording recordings camera
    data information details
    delete erase remove
    address location place
    house home
    shop store
    centre center
    harbour harbor
    park parking
    garage carpark
    petrol gasoline fuel gas
    electric electricity power
    pupil student
    teacher instructor
    help assistance assist support
    number amount quantity
    max maximum
    min minimum`,
  german: `
    preis kosten kostet gebühr tarif entgelt
    zahlen bezahlen zahlung bezahlung
    erstattung rückerstattung rückzahlung erstattet zurückbekommen
    rabatt ermäßigung nachlass ermäßigt günstiger
    kostenlos gratis umsonst kostenfrei
    kaufen kauf gekauft erwerben
    mieten miete leihen ausleihen verleih vermietung
    buchen buchung reservieren reservierung vorbestellung
    stornieren stornierung absagen rücktritt
    kind kinder
    baby säugling kleinkind
    rentner senioren
    fahrrad fahrräder rad räder
    auto pkw wagen fahrzeug
    lkw lastwagen
    motorrad motorräder
    bahn zug
    koffer gepäck tasche
    kinderwagen buggy
    paket päckchen sendung
    schicken senden versenden verschicken
    telefon handy telefonnummer telefonisch
    anrufen anruf telefon
    internet wlan
    verloren verlieren verlust
    gefunden finden fund
    gestohlen diebstahl
    kaputt beschädigt schaden defekt
    krank krankheit
    arzt ärztin
    behindert behinderung barrierefrei schwerbehindert
    aufzug lift fahrstuhl
    toilette wc klo
    tier tiere haustier
    essen speise speisen gericht gerichte mahlzeit
    trinken getränk getränke
    restaurant gaststätte
    verboten untersagt erlaubt gestattet
    öffnungszeiten geöffnet offen öffnet
    geschlossen schließt zu
    anfang beginn beginnt
    ende endet schluss
    abfahrt abfahren
    ankunft ankommen
    spät verspätung
    lang länge dauer dauert
    hoch höhe
    breit breite
    schwer gewicht
    groß größe
    urlaub ferien
    reise fahrt
    fahrplan fahrzeiten
    rechnung beleg quittung
    beschwerde reklamation beschweren
    gutschein voucher
    anzahlung vorauszahlung
    nachweis ausweis bescheinigung
    begleiter begleitperson begleitung
    frist spätestens bis
    mindestens wenigstens minimum
    höchstens maximal maximum`,
  french: `
    prix coûte coût tarif montant
    payer paiement paie règlement
    rembourser remboursement remboursé
    réduction remise rabais réduit
    gratuit gratuitement offert
    acheter achat
    louer location prêter prêté emprunter
    réserver réservation
    annuler annulation annulé
    enfant enfants
    bébé nourrisson
    retraité senior aîné
    vélo vélos bicyclette
    voiture auto véhicule
    camion poids-lourd
    moto motocyclette
    train gare
    bus autobus
    bagage bagages valise sac
    poussette landau
    colis paquet
    envoyer expédier envoi
    téléphone portable mobile
    internet wifi wi-fi
    perdu perdre perte
    trouvé trouver
    volé vol
    cassé abîmé dommage
    malade maladie
    médecin docteur
    handicapé handicap fauteuil
    toilettes wc sanitaires
    animal animaux
    manger repas nourriture
    boire boisson
    interdit défendu autorisé permis
    ouvert ouverture horaires
    fermé fermeture
    début commence commencer
    fin finit
    départ part partir
    arrivée arriver
    retard retardé
    durée dure longtemps
    taille longueur
    hauteur haut
    poids lourd
    vacances congés
    voyage trajet
    facture reçu
    réclamation plainte
    acompte arrhes
    justificatif preuve attestation
    papiers documents
    délai temps
    signifie sens définition
    hôtel hébergement`,
};

const synonymsByLanguage = new Map(
  Object.entries(groups).map(([language, lines]) => {
    const others = new Map<string, Set<string>>();
    for (const line of lines.trim().split('\n')) {
      const words = line.trim().split(' ');
      for (const word of words) others.set(word, new Set([...(others.get(word) ?? []), ...words]));
    }
    return [language, others] as const;
  }),
);

/** A word of a query and a synonym of it. */
export interface Synonym {
  readonly language: string;
  readonly word: string;
  readonly synonym: string;
}

/** The synonyms of a query's words, in every language that has some. */
export function synonymsIn(query: string): Synonym[] {
  const words = new Set(query.toLowerCase().match(/[\p{L}-]+/gu));
  return [...synonymsByLanguage].flatMap(([language, others]) =>
    [...words].flatMap((word) =>
      [...(others.get(word) ?? others.get(word.replace(/s$/, '')) ?? [])]
        .filter((synonym) => synonym !== word)
        .map((synonym) => ({ language, word, synonym })),
    ),
  );
}
