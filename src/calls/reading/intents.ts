import { asksForFacts } from './answers.ts';
import { negations } from './correction-words.ts';
import type { Language } from './languages.ts';
import { endOfParts, partsOf } from './patterns.ts';
import { breaksClause, folded, lazily, type Phrases, phrases, separated, type Token } from './words.ts';

/**
 * What callers commonly want, as they say it, and how an option of a design names it. The words of an option alone miss most
 * wishes: "I need to see the dentist" has no word of "Book a new appointment".
 */
interface Intent {
  /** Phrases of a reply, in eight languages; `_` stands for up to three words. */
  readonly says: string;
  /** Beginnings of words in the title of an option that means it; before a full stop, whole words. */
  readonly titles: string;
  /** Also said as a question: "Do you have anything free on Friday?" `unlessFacts`: not one about prices, hours or the like. */
  readonly asks?: 'always' | 'unlessFacts';
}

/** Titles of options for what can wait. */
const waiting =
  'wait|not urgent|no hurry|warten|nicht dringend|attendre|pas urgent|esperar|no es urgente|aspettare|non urgente|wachten|niet dringend|nao urgente|poczeka|niepiln';

/** The more telling ones first: "I booked a table and would like to ask" is about the booking. */
const intents: readonly Intent[] = [
  {
    titles: 'wrong|not for us|verwählt|falsch verbunden|erreur|equivocad|sbagliat|verkeerd|engano|pomyłka',
    asks: 'always',
    says: `wrong number|wrong place|wrong company|did i dial|is this the|isn't this|this isn't|is this not|i was looking for the|i was trying to reach
      falsch verbunden|verwählt|falsche nummer|ist da nicht|bin ich da nicht|ist das nicht
      mauvais numéro|faux numéro|me suis trompé de numéro|me suis trompée de numéro|ce n'est pas le|c'est bien la
      número equivocado|me he equivocado de número|no es la|no es el|es la pizzería
      ho sbagliato numero|numero sbagliato|non è la|non è il
      verkeerd nummer|verkeerd verbonden|is dit niet
      número errado|enganei-me no número|liguei errado|não é da
      pomyłka|zły numer|pomyliłem numer|pomyliłam numer|czy to nie`,
  },
  {
    titles: 'offer|selling|sales call|vertreter|werbung|démarchage|venta|vendit|verkoop|venda|sprzedaż',
    says: `special offer|great offer|great deal|our product|our products|our services to you|our new _ to you|present our|introduce our|introduce you to|save you money|on behalf of _ we offer|partnership|would you be interested in|interested in advertising|we offer|we specialize in|calling from _ offer|calling businesses|your electricity provider|your internet provider|who handles your|decision maker|person responsible for purchasing|sell you
      unser angebot|unser produkt|unsere produkte|ihnen _ vorstellen|ihnen _ anbieten|wir bieten|strom sparen|anzeige schalten
      notre offre|nos produits|vous proposer|vous présenter|nous proposons
      nuestra oferta|nuestros productos|ofrecerles|presentarles|le ofrecemos
      la nostra offerta|i nostri prodotti|proporvi|presentarvi|vi offriamo
      ons aanbod|onze producten|u _ aanbieden|wij bieden
      a nossa oferta|nossos produtos|oferecer-lhe|apresentar-lhe|oferecemos
      naszą ofertę|nasze produkty|przedstawić ofertę|oferujemy`,
  },
  {
    titles: waiting,
    asks: 'always',
    says: `not emergency|we're fine|we are fine|i'm fine with|just wasting|not flooding|isn't flooding|nothing pressing|not pressing|no harm done|in your own time|when you get a chance|when you get a minute|when you have a minute|at your convenience|during office hours|in office hours|just a niggle|can wait|it'll wait|it will wait|could wait|not urgent|isn't urgent|nothing urgent|not that urgent|not really urgent|not an emergency|isn't an emergency|no emergency|no hurry|no rush|not in a hurry|in no hurry|nothing dramatic|nothing serious|nothing bad|no big deal|not a big deal|isn't dramatic|whenever you|whenever it suits|when you're back|when you are back|when you open|tomorrow is fine|tomorrow's fine|next week is fine|monday is fine|some time this|sometime this|sometime next|some time next|this month|next month|non-urgent
      kann warten|hat zeit|nicht dringend|nichts dringendes|kein notfall|keine eile|eilt nicht|nicht eilig|nichts schlimmes|nichts dramatisches|halb so wild|morgen reicht|nächste woche reicht
      peut attendre|pas urgent|rien d'urgent|pas pressé|pas pressée|pas une urgence|rien de grave|pas grave|demain suffit
      puede esperar|no es urgente|nada urgente|sin prisa|no hay prisa|no corre prisa|no es una emergencia|nada grave|mañana está bien
      può aspettare|non è urgente|niente di urgente|nessuna fretta|senza fretta|non ho fretta|non è un'emergenza|niente di grave|va bene domani
      kan wachten|niet dringend|niks dringends|geen haast|heeft geen haast|geen spoed|geen noodgeval|niets ernstigs|morgen is goed
      pode esperar|não é urgente|nada urgente|sem pressa|não há pressa|não é emergência|não é uma emergência|nada grave|amanhã está bem
      może poczekać|nie jest pilne|nic pilnego|nie pilne|bez pośpiechu|nie spieszy się|to nie awaria|nic poważnego|może być jutro`,
  },
  {
    titles:
      'urgent|emergency|dringend|notfall|urgence|emergencia|emergenza|spoed|dringend|noodgeval|emergência|piln|awaria',
    says: `urgent|emergency|cannot wait|can't wait|right now|right away|straight away|immediately|as soon as possible please|asap|send somebody|send someone|come quickly|come right now|need someone now|need somebody now|tonight please|flood|flooding|flooded|burst|burst pipe|overflowing|overflow|pouring|gushing|spraying|water everywhere|water _ coming|water _ rising|won't stop|no heat|no heating|no hot water and|heating _ stopped|heating _ broken|heating _ off|heating _ failed|heating _ out|heating _ dead|heating _ not work|heating _ doesn't work|heating doesn't|heating isn't|heat _ out|heat _ off|heater died|furnace _ out|furnace _ died|furnace _ dead|furnace stopped|furnace quit|boiler _ died|boiler stopped|boiler _ broken|boiler _ out|boiler _ not work|freezing|below zero|minus _ degrees|smell gas|backing up|backed up|coming up through|through the ceiling
      dringend|notfall|eilt|sehr eilig|sofort|so schnell wie möglich|schicken sie jemand|schicken sie bitte jemand|rohrbruch|überschwemm*|wasser läuft|wasser kommt|läuft über|heizung _ ausgefallen|heizung _ kaputt|heizung _ nicht|keine heizung|kann nicht warten|eiskalt
      urgent|une urgence|tout de suite|immédiatement|envoyez quelqu'un|inond*|fuite d'eau|l'eau coule|déborde|chauffage _ panne|plus de chauffage|ne peut pas attendre
      urgente|emergencia|ahora mismo|inmediatamente|manden a alguien|inund*|se desborda|sale agua|sin calefacción|calefacción _ no funciona|no puede esperar|tubería rota
      urgente|emergenza|subito|immediatamente|mandate qualcuno|allag*|esce acqua|trabocca|senza riscaldamento|riscaldamento _ non funziona|non può aspettare|tubo rotto
      dringend|spoed|noodgeval|meteen|onmiddellijk|stuur iemand|overstrom*|water loopt|loopt over|geen verwarming|verwarming _ kapot|verwarming doet het niet|kan niet wachten|leiding gesprongen
      urgente|emergência|agora mesmo|imediatamente|mandem alguém|inund*|a transbordar|transbordando|sem aquecimento|aquecimento _ não funciona|não pode esperar|cano rebentado|cano estourado
      pilne|pilnie|awaria|natychmiast|od razu|przyślijcie kogoś|zalewa|zalało|leje się|przelewa się|nie ma ogrzewania|ogrzewanie nie działa|nie może czekać|pękła rura`,
  },
  {
    titles: waiting,
    asks: 'always',
    says: `dripping|drips|a drip|slow drain|drain _ slow|drains slowly|runs a little|runs a bit|a bit slow|serviced|service for|annual service|yearly service|maintenance|inspection|a quote|an estimate|an offer for|a new bathroom|a new kitchen|a new _ heater|install|renovation|my bill|our bill|the bill|my invoice|an invoice|the invoice|an appointment|to schedule|makes a noise|making a noise|a noise|a question|a message|call me tomorrow|call me back|next week|next month
      tropft|wartung|kostenvoranschlag|ein angebot für|meine rechnung|einen termin
      goutte|entretien|un devis|ma facture|un rendez-vous
      gotea|mantenimiento|un presupuesto|mi factura|una cita
      gocciola|manutenzione|un preventivo|la mia fattura|la mia bolletta|un appuntamento
      druppelt|lekt een beetje|onderhoud|een offerte|mijn rekening|mijn factuur|een afspraak
      pinga|está pingando|manutenção|um orçamento|minha fatura|a minha conta|uma marcação
      kapie|przegląd|wycenę|kosztorys|mój rachunek|faktury|wizytę`,
  },
  {
    titles: 'large|group|event|gruppe|große|groupe|grupo|gruppo|groep|grup|wydarzen|party or event',
    asks: 'unlessFacts',
    says: `private room|separate room|whole restaurant|entire restaurant|rent the|set menu|gift card|gift voucher|voucher|gift certificate|wedding|office party|company party|company dinner|office dinner|christmas party|big group|large group|large party|big party|catering|event
      privatraum|separater raum|nebenraum|ganze restaurant|gutschein|hochzeit|firmenfeier|weihnachtsfeier|betriebsfeier|große gruppe|große gesellschaft
      salle privée|salon privé|privatiser|chèque-cadeau|bon cadeau|mariage|grand groupe|repas d'entreprise
      sala privada|reservado|tarjeta regalo|vale regalo|boda|grupo grande|cena de empresa
      sala privata|buono regalo|matrimonio|gruppo numeroso|cena aziendale
      aparte zaal|privézaal|cadeaubon|bruiloft|grote groep|bedrijfsfeest
      sala privada|vale-presente|cheque-prenda|casamento|grupo grande|jantar da empresa
      oddzielna sala|bon podarunkowy|wesele|duża grupa|impreza firmowa`,
  },
  {
    titles:
      'change|reschedul|cancel|ändern|verschieb|absag|modifi|annul|cambi|cancel|modific|spost|disd|wijzig|verzet|annuler|alter|remarcar|desmarc|zmien|zmian|przełoż|odwoł',
    asks: 'always',
    says: `i've a table|i've a booking|i've an appointment|i've a reservation|got a booking|got a reservation|have a booking|we've a table|we've a booking|i'm down for|we're down for|i am down for|already booked|down in the book|shift it|shift my|shift our|shift the booking|shift our table|move us|bring it forward|swap it|swap our|move _ appointment|change _ appointment|change _ booking|change _ reservation|cancel _ appointment|cancel _ booking|cancel _ reservation|cancel _ table|move _ table|move _ booking|move _ reservation|i have booked|i've booked|we've booked|we have booked|have a table booked|i booked|we booked|had booked|is booked|was booked|are booked|i'm booked|i am booked|we're booked|have _ booked|got _ booked|my booking|our booking|my reservation|our reservation|our table|my table|my appointment|our appointment|i have a reservation|we have a reservation|i have an appointment|we have an appointment|i have appointment|already have|got an appointment|had an appointment|i have a table|we have a table|i've got a table|we've got a table|got a table booked|existing appointment|existing reservation|my slot|my visit|can't make it|cannot make it|can't make my|won't make it|won't be able to|not able to come|can't come|cannot come|couldn't come|running late|be late|running a bit late|stuck in traffic|something came up|something's come up|something has come up|push back|push it back|push my|push our|push _ back|move my|move our|move it|move the|postpone|reschedule|another day for my|a different day for my|cancel my|cancel our|cancel the|cancel an|cancel a|call off|switch my|swap my|change my|change our|change the time of|bring forward|instead of _ booked|make it _ instead
      habe _ gebucht|habe _ reserviert|haben _ gebucht|haben _ reserviert|hab _ reserviert|hab _ gebucht|meine reservierung|unsere reservierung|meine buchung|meinen termin|mein termin|unseren tisch|habe einen termin|hab einen termin|habe _ termin am|schaffe es nicht|schaffen es nicht|kann nicht kommen|können nicht kommen|komme später|verspäte mich|verspäten uns|verspätung|etwas dazwischen|dazwischengekommen|verschieben|umbuchen|absagen|stornieren|verlegen
      j'ai réservé|nous avons réservé|on a réservé|ma réservation|notre réservation|mon rendez-vous|notre table|j'ai un rendez-vous|j'ai rendez-vous|je ne peux pas venir|peux pas venir|empêchement|en retard|du retard|déplacer|reporter|décaler|annuler
      he reservado|hemos reservado|tengo reservad*|tenemos reservad*|mi reserva|nuestra reserva|mi cita|tengo una cita|tengo cita|tengo una reserva|tenemos una reserva|nuestra mesa|no puedo ir|no podemos ir|no puedo asistir|llego tarde|llegamos tarde|me ha surgido|me surgió|aplazar|mover mi|cambiar mi|cambiar la|cancelar|anular
      ho prenotato|abbiamo prenotato|la mia prenotazione|la nostra prenotazione|il mio appuntamento|ho un appuntamento|ho una prenotazione|abbiamo una prenotazione|il nostro tavolo|non posso venire|non possiamo venire|sono in ritardo|siamo in ritardo|un imprevisto|spostare|rimandare|disdire|annullare
      heb _ gereserveerd|hebben _ gereserveerd|heb _ geboekt|mijn reservering|onze reservering|mijn afspraak|onze tafel|heb een afspraak|kan niet komen|kunnen niet komen|ben te laat|kom later|zijn later|iets tussengekomen|verzetten|verplaatsen|afzeggen|annuleren
      reservei|tenho _ reservad*|temos _ reservad*|minha reserva|nossa reserva|a minha marcação|minha consulta|tenho uma consulta|tenho marcação|tenho uma reserva|temos uma reserva|nossa mesa|não posso ir|não vou conseguir|não podemos ir|vou atrasar|estou atrasad*|surgiu um imprevisto|remarcar|desmarcar|adiar|cancelar
      mam rezerwację|mamy rezerwację|zarezerwowałem|zarezerwowałam|zarezerwowaliśmy|moja rezerwacja|moją rezerwację|moja wizyta|moją wizytę|mam wizytę|mam umówion*|umówiłem się|umówiłam się|nasz stolik|nie mogę przyjść|nie damy rady|nie dam rady|spóźnię się|spóźnimy się|coś mi wypadło|przełożyć|przesunąć|odwołać|anulować`,
  },
  {
    titles: 'another one|other order|andere|anderer|autre|otro|altro|andere|outro|inne',
    asks: 'always',
    says: `another order|a different order|other order|older order|an older one|not that one|different one|the one before|previous order|earlier order
      andere bestellung|ältere bestellung|nicht diese|vorige bestellung|autre commande|otro pedido|altro ordine|andere bestelling|outra encomenda|outro pedido|inne zamówienie`,
  },
  {
    titles: 'customer|kunde|client|cliente|klant|klient',
    asks: 'unlessFacts',
    says: `you installed|you put in|you put on|you built|you sold me|i bought from you|i bought _ from you|we bought from you|already a customer|existing customer|i'm a customer|we're customers|customer of yours|stopped working|doesn't work anymore|not working anymore|is broken|shows an error|error code|an error|warranty|under guarantee|my inverter|the panels you|the system you
      von ihnen installiert|bei ihnen gekauft|schon kunde|bereits kunde|bin kunde|sind kunden|geht nicht mehr|zeigt einen fehler|fehlermeldung|garantie
      vous avez installé|acheté chez vous|déjà client|ne marche plus|affiche une erreur|garantie
      ustedes instalaron|les compré|ya soy cliente|dejó de funcionar|muestra un error|garantía
      avete installato|comprato da voi|già cliente|non funziona più|mostra un errore|garanzia
      jullie hebben geïnstalleerd|bij jullie gekocht|al klant|doet het niet meer|geeft een fout|garantie
      vocês instalaram|comprei de vocês|já sou cliente|parou de funcionar|mostra um erro|garantia
      zainstalowaliście|kupiłem u was|kupiłam u was|jestem klientem|przestał działać|przestała działać|gwarancj*`,
  },
  {
    titles: 'problem|defekt|problème|problema|probleem|kłopot',
    says: `i ordered _ and|i ordered _ but|they sent me|you've sent|you have sent|was sent a|too low|not enough|less than i|won't be home|won't be in|not be home|leave it next door|leave it with|no screws|no manual|no instructions|not all there|not complete|parts missing|pieces missing|short of|one short|two short|great scratch|big scratch|nasty scratch|i paid for the|paid for a|isn't the one|not the one i|not what i paid|not what i asked|not what i wanted|wrong way|up with my|up with me|up with the|summat's up|summat up|something up|something's up|not right with|not quite right|isn't right|came without|arrived without|without the|full set is not|not there in|came in * bits|came all|turned up broken|turned up damaged|turned up wrong|arrived broken|fell off|snapped|came loose|fused|won't light|doesn't light|flickers|flickering|discoloured|faded|mouldy|squashed|crushed|soaked|wet through|you sent me|sent me the wrong|sent the wrong|got the wrong|wrong item|wrong size|wrong colour|wrong color|wrong one|wrong order|instead of|not what i ordered|isn't what i ordered|i ordered _ and got|i got a|broken|damaged|cracked|a crack|in pieces|smashed|shattered|scratched|a scratch|torn|dented|faulty|defective|doesn't work|does not work|not working|isn't working|won't work|stopped working|missing|is missing|was missing|incomplete|only got|only received|half of my|never got it|never arrived|never came|hasn't arrived|hasn't come|hasn't shown up|didn't arrive|didn't come|didn't get|haven't received|haven't got|not arrived|a hole|holes in|a stain|stained|dirty|bent|is empty|was empty|were empty|ripped|chipped|broke|broken off|fell apart|doesn't fit|does not fit|don't fit|too small|too big|too short|too long|not as described|looks different|different from|mixed up|mix-up|charged twice|wrong address|old address|never got|never received|still not here|not here yet|in * pieces|in a * pieces|is missing a|came but|arrived but|came with a|but the|disappointed|not happy|unhappy|i'm afraid|unfortunately|sadly|leaks|wobbl*|loose|noise|smells|doesn't turn on|won't turn on|won't start|doesn't open|won't open|doesn't start|stays white|blank|stuck|spinning|slow|locked out|lock me out|can't access|cannot access|says delivered|says it was delivered|marked as delivered|should have been here|should have arrived|was supposed to|lost|stolen|late|overdue|too late|leaking|something's wrong|something is wrong|cancel my order|cancel the order|cancel it|cancel an order|change my order|change the address|change my address|change the delivery address|delivery address|complaint|complain|won't load|doesn't load|not loading|can't get in|can't get into|can't log in|cannot log in|can't sign in|can't find|forgot my password|forgotten my password|lost my password|crashes|crashed|frozen|error|a problem|an issue|trouble
      falsche ware|falschen artikel|falsche größe|falsche farbe|nicht das bestellte|statt|kaputt|beschädigt|defekt|zerbrochen|fehlt|fehlen|unvollständig|nie angekommen|nicht angekommen|noch nicht da|verspätet|zu spät|reklam*|stornieren|lieferadresse|geht nicht|funktioniert nicht|lädt nicht|passwort vergessen|problem
      mauvais article|pas ce que j'ai commandé|au lieu de|cassé|cassée|endommagé|abîmé|manque|manquant|incomplet|jamais arrivé|pas arrivé|pas reçu|en retard|réclamation|annuler ma commande|adresse de livraison|ne marche pas|ne fonctionne pas|mot de passe oublié|problème
      artículo equivocado|no es lo que pedí|en lugar de|en vez de|roto|rota|dañado|dañada|falta|incompleto|nunca llegó|no ha llegado|no llegó|no he recibido|retraso|reclamación|cancelar mi pedido|dirección de entrega|no funciona|no carga|olvidé mi contraseña|problema
      articolo sbagliato|non è quello che ho ordinato|invece di|al posto di|rotto|rotta|danneggiato|danneggiata|manca|incompleto|mai arrivato|non è arrivato|non ho ricevuto|in ritardo|reclamo|annullare l'ordine|indirizzo di consegna|non funziona|non si carica|dimenticato la password|problema
      verkeerd artikel|verkeerde maat|verkeerde kleur|niet wat ik besteld|in plaats van|kapot|beschadigd|stuk|ontbreekt|incompleet|nooit aangekomen|niet aangekomen|niet ontvangen|te laat|klacht|bestelling annuleren|bezorgadres|werkt niet|doet het niet|laadt niet|wachtwoord vergeten|probleem
      artigo errado|não é o que pedi|em vez de|no lugar de|partido|quebrado|quebrada|danificado|danificada|falta|incompleto|nunca chegou|não chegou|não recebi|atrasad*|reclamação|cancelar o pedido|cancelar a encomenda|endereço de entrega|não funciona|não carrega|esqueci a senha|esqueci a palavra-passe|problema
      nie to co zamówiłem|nie to co zamówiłam|zły rozmiar|zły kolor|zamiast|zepsut*|uszkodzon*|rozbit*|brakuje|niekompletn*|nie dotarł*|nie doszł*|nie dostałem|nie dostałam|spóźni*|reklamacj*|anulować zamówienie|adres dostawy|nie działa|nie ładuje|zapomniałem hasła|zapomniałam hasła|problem`,
  },
  {
    titles: 'complaint|beschwerde|réclamation|plainte|queja|reclamo|klacht|reclamação|skarga',
    says: `left my|left our|lost my|lost our|lost a|lost and found|lost property|forgot my _ at|find my|stolen|complain|complaint|was rude|were rude|very rude|unfriendly|slipped|hurt my|hurt his|hurt her|injured|an accident|got hurt|fell|unacceptable|disgusting|ashamed|never again|money back|refund|overcharged|charged twice|charged me
      liegen lassen|liegengelassen|verloren|vergessen bei|fundsachen|beschwer*|unfreundlich|unverschämt|ausgerutscht|verletzt|unfall|geld zurück
      oublié mon|oublié ma|oublié mes|perdu|objets trouvés|me plaindre|plainte|impoli|glissé|blessé|accident|remboursement
      olvidé mi|dejé mi|perdí|objetos perdidos|quejarme|queja|grosero|maleducado|resbalé|herido|accidente|reembolso
      dimenticato|lasciato|perso|oggetti smarriti|lamentarmi|reclamo|maleducat*|scivolat*|ferit*|incidente|rimborso
      laten liggen|verloren|kwijt|gevonden voorwerpen|klagen|klacht|onbeleefd|uitgegleden|gewond|ongeluk|geld terug
      esqueci|deixei|perdi|perdidos e achados|reclamar|reclamação|mal-educad*|escorreguei|magoei|machuquei|acidente|reembolso
      zostawiłem|zostawiłam|zgubiłem|zgubiłam|rzeczy znalezione|poskarżyć|skarg*|niegrzeczn*|poślizgn*|wypadek|zwrot pieniędzy`,
  },
  {
    titles: 'done|no.|nothing|fertig|nein|nichts|non.|rien|nada|niente|nee.|niets|nao.|nie.|nic.',
    says: `all i wanted|all i needed|that's all|that is all|that's it|that was all|that was it|that's everything|that'll be all|just wanted to know|only wanted to know|what i wanted to know|nothing else|nothing more|no more questions|i'm good|i'm all set|all good|all set|i'm fine|never mind|nevermind|i'll think about it|think it over|think about it first|maybe later|another time|some other time|not today|not right now|not at the moment|i'll call back|i'll call again|i'll call tomorrow|i'll call later|i'll ring back|i'll try again
      das war alles|das ist alles|das war's|mehr nicht|nichts weiter|wollte nur wissen|überlege es mir|ein andermal|später vielleicht|nicht heute|melde mich
      c'est tout|ce sera tout|rien d'autre|je vais réfléchir|une autre fois|pas aujourd'hui|plus tard peut-être|je rappellerai
      eso es todo|nada más|solo quería saber|lo pensaré|me lo pienso|otro día|hoy no|ya llamaré
      è tutto|nient'altro|basta così|volevo solo sapere|ci penso|un'altra volta|oggi no|richiamo io
      dat was het|dat was alles|dat is alles|verder niets|wilde alleen weten|denk erover na|een andere keer|vandaag niet|ik bel terug
      é tudo|era só isso|mais nada|só queria saber|vou pensar|outra vez|hoje não|eu ligo
      to wszystko|nic więcej|chciałem tylko wiedzieć|chciałam tylko wiedzieć|zastanowię się|innym razem|nie dzisiaj|zadzwonię jeszcze`,
  },
  {
    titles:
      'message|callback|call back|later|nachricht|rückruf|message|rappel|mensaje|recado|messaggio|bericht|mensagem|wiadomość|później|später',
    asks: 'always',
    says: `leave a message|take a message|leave my number|leave you my number|leave a note|pass on|pass it on|pass a message|tell him|tell her|tell them|tell mr|tell mrs|tell ms|tell the|let * know|let * * know|let * * * know|tell * that|tell * to|tell * the|tell * i|could you tell|remind *|pass * on|a message for|let mr|let mrs|let the|give _ a message|call me back|call back|call me|calls me|ring me|ring back|rings me|phone me|phone back|get back to me|gets back to me|reach me at|reach me on|return my call|returning _ call|missed a call|missed your call|called me|somebody _ call|someone _ call|someone to call|somebody to call|somebody to ring|a callback|a call back|be called back|give me a call|give me a ring|give us a call|please tell|would you tell|could you tell him|could you tell her|could you tell them|call tomorrow|call later
      nachricht hinterlassen|eine nachricht|ausrichten|richten sie|sagen sie ihm|sagen sie ihr|sagen sie dem|sagen sie der|sagen sie herrn|sagen sie frau|zurückrufen|zurückgerufen|rückruf|ruft mich|rufen sie mich an|mich anrufen|melden sie sich|meldet sich bei mir|meine nummer hinterlassen|anruf verpasst
      laisser un message|un message|dites-lui|dites à|pouvez-vous dire|transmettre|rappeler|rappelez-moi|me rappelle|être rappelé|rappel|laisser mon numéro|appel manqué
      dejar un mensaje|dejar un recado|un recado|dígale|decirle|dígales|avisarle|llamarme|me llame|me llamen|devolver la llamada|devuelvan la llamada|que me llamen|dejar mi número|llamada perdida
      lasciare un messaggio|un messaggio|gli dica|le dica|può dire|riferire|richiamare|richiamarmi|mi richiami|mi richiamate|essere richiamat*|lasciare il mio numero|chiamata persa
      bericht achterlaten|een bericht|boodschap|doorgeven|zeg hem|zeg haar|zeg tegen|terugbellen|teruggebeld|bel me|bellen jullie me|mijn nummer achterlaten|oproep gemist
      deixar um recado|deixar uma mensagem|um recado|diga-lhe|diga a|avisar|transmitir|me ligar|ligar-me|me liguem|me retorne|retornar a ligação|ser contactad*|deixar o meu número|chamada perdida
      zostawić wiadomość|wiadomość|przekazać|proszę powiedzieć panu|proszę powiedzieć pani|oddzwonić|oddzwonić do mnie|zadzwonić do mnie|o telefon zwrotny|zostawić numer|nieodebrane`,
  },
  {
    titles: 'person|mensch|mitarbeiter|personne|persona|persoon|pessoa|człowiek|osob|konsultant|specialist',
    asks: 'always',
    says: `speak to|speak with|talk to|talk with|have a word|a word with|put me through|connect me|transfer me|is mr|is mrs|is ms|is dr|is doctor|is * in|is * there|is he available|is she available|is he around|is anyone there|is anybody there|is someone there|a person|a human|a real person|somebody please|someone please|the manager|the boss|the owner|the chef|a colleague|customer service|the receptionist|in charge|somebody in|someone in|speak directly|my bill|the bill|a bill|an invoice
      sprechen mit|mit _ sprechen|mit _ reden|verbinden sie|stellen sie _ durch|ist herr|ist frau|ist * da|zu sprechen|einen menschen|einen mitarbeiter|den chef|die chefin|den inhaber
      parler à|parler avec|passez-moi|me passer|est-ce que * est là|est-il là|est-elle là|un conseiller|une personne|le patron|la patronne|le responsable|le gérant
      hablar con|me pasa con|póngame con|está el señor|está la señora|está * disponible|una persona|el encargado|la encargada|el dueño|el jefe
      parlare con|mi passi|mi passa|c'è il signor|c'è la signora|una persona|il titolare|il responsabile|il capo
      spreken met|met _ spreken|doorverbinden|is meneer|is mevrouw|is * aanwezig|is * er|een medewerker|de baas|de eigenaar|de manager
      falar com|passe-me|o senhor _ está|a senhora _ está|está * disponível|uma pessoa|o gerente|o dono|o responsável|o chefe
      rozmawiać z|porozmawiać z|połączyć|czy jest pan|czy jest pani|czy zastałem|czy zastałam|konsultant*|kierownik*|właściciel*|szef*`,
  },
  {
    titles: 'status|delivery|where|lieferung|livraison|suivi|entrega|envío|consegna|bezorg|levering|dostaw',
    asks: 'always',
    says: `where is my|where's my|where is the|where's the|where my|when will it|when does it|when is it|when will my|will it be here|will it get here|will it arrive|be here in time|here in time|get here|on its way|on the way|waiting for|still waiting|expecting|arrive|coming today|come today|comes today|been sent|been shipped|shipped yet|sent yet|track my|track it|tracking|check on my|check my order|check the status|status of|how far along|delivery date|delivered|in time|nervous that|worried about my
      wo ist mein|wo ist meine|wo bleibt|wann kommt|wann wird|kommt es|kommt heute|unterwegs|warte auf|warte noch|schon verschickt|schon versendet|sendungsverfolgung|verfolgen|status meiner|rechtzeitig
      où est ma|où est mon|où en est|quand arrive|quand est-ce que|j'attends|en route|expédié|expédiée|suivre ma|suivi|à temps
      dónde está mi|cuándo llega|cuándo llegará|estoy esperando|espero mi|en camino|enviado|seguimiento|rastrear|estado de mi|a tiempo
      dov'è il mio|dov'è la mia|quando arriva|quando arriverà|sto aspettando|aspetto ancora|in arrivo|spedito|tracciare|stato del mio|in tempo
      waar is mijn|waar blijft|wanneer komt|wanneer wordt|ik wacht op|onderweg|verzonden|volgen|status van mijn|op tijd
      onde está o meu|onde está a minha|onde está meu|quando chega|quando vai chegar|estou à espera|estou esperando|a caminho|enviado|rastrear|estado da minha|a tempo
      gdzie jest moja|gdzie jest moje|gdzie jest mój|kiedy przyjdzie|kiedy dotrze|kiedy będzie|czekam na|w drodze|wysłan*|śledzić|status zamówienia|na czas`,
  },
  {
    titles: 'link|website|webseite|lien|enlace|sitio|sito|site|strona',
    asks: 'always',
    says: `the link|a link|send me the|text me|text it|text that|send it to me|by text|by sms|website|web page|online
      den link|schicken sie mir|per sms|webseite|le lien|envoyez-moi|par sms|site web|el enlace|envíeme|mándeme|por sms|página web|il link|mi mandi|via sms|sito|de link|stuur me|per sms|website|o link|envie-me|me manda|por sms|site|link|wyślij mi|smsem|strona`,
  },
  {
    titles: 'question|frage|pregunta|domanda|vraag|pergunta|pytani',
    asks: 'always',
    says: `a question|questions|one question|quick question|like to know|want to know|wanted to know|wanted to ask|want to ask|like to ask|wondering|wonder if|can you tell me|could you tell me|do you know|information|some info|find out|opening hours|your hours|your prices|prices for|your address
      eine frage|fragen|wissen|wollte fragen|möchte fragen|können sie mir sagen|öffnungszeiten|auskunft|informationen|ihre preise|ihre adresse
      une question|questions|savoir|demander si|pouvez-vous me dire|renseignement|informations|horaires|vos tarifs|votre adresse
      una pregunta|preguntas|saber|preguntar|puede decirme|información|horario|sus precios|su dirección
      una domanda|domande|sapere|chiedere se|può dirmi|informazione|informazioni|orari|i prezzi|il vostro indirizzo
      een vraag|vragen|weten|kunt u mij zeggen|informatie|openingstijden|prijzen|jullie adres
      uma pergunta|perguntas|saber|perguntar|pode dizer-me|pode me dizer|informação|informações|horário|preços|o endereço
      pytanie|pytania|wiedzieć|zapytać|dowiedzieć|informacj*|godziny otwarcia|ceny|wasz adres`,
  },
  {
    titles:
      'book|reserve|new appointment|a table|buchen|reservier|termin|réserv|rendez-vous|reserv|cita|prenot|boek|afspraak|marcar|umów|rezerw|zarezerw',
    asks: 'unlessFacts',
    says: `book|make an appointment|an appointment|schedule|set up a time|a reservation|reserve|a table|table for|room for|seat us|can you seat|seat three|seat four|seat two|seat six|fit us in|fit me in|squeeze me in|squeeze us in|get in|come in|come by|be seen|see the dentist|see a dentist|see the doctor|see a doctor|see somebody|see someone|have a look at|looked at|space for|any space|have space|some space|any tables|tables left|free table|table free|anything free|anything available|anything for|anything on|something free|something available|something on|a slot|any slots|an opening|any openings|availability|free on|free at|a time with|a visit|to eat|for dinner|for lunch|for brunch|for breakfast|have dinner|have lunch|come on|come for|love to come|like to come|want to come|hurts|in pain|toothache|a toothache|my tooth|a tooth|broke a|lost a filling|lost a crown|due for|need a filling|need a cleaning|need a check|a check-up|a checkup|teeth cleaned|a new patient|first time
      buchen|termin|einen termin|reservieren|einen tisch|tisch für|platz für|vorbeikommen|haben sie _ frei|etwas frei|noch frei|was frei|tut weh|zahnschmerzen|zum zahnarzt|zum arzt|essen kommen|abendessen|mittagessen
      réserver|un rendez-vous|rendez-vous|une table|table pour|de la place|venir|de libre|quelque chose de libre|une disponibilité|mal aux dents|voir le dentiste|voir le médecin|dîner|déjeuner
      reservar|una cita|pedir cita|pedir hora|una mesa|mesa para|sitio para|algo libre|disponible|hueco|me duele|ver al dentista|ver al médico|cenar|comer
      prenotare|un appuntamento|un tavolo|tavolo per|posto per|qualcosa di libero|disponibilità|mi fa male|mal di denti|dal dentista|dal medico|cenare|pranzare|venire
      boeken|een afspraak|afspraak maken|reserveren|een tafel|tafel voor|plek voor|plaats voor|iets vrij|nog plek|langskomen|kiespijn|naar de tandarts|naar de dokter|komen eten
      marcar|marcação|uma consulta|agendar|reservar|uma mesa|mesa para|lugar para|algo livre|horário livre|vaga|dói|dor de dente|ver o dentista|ver o médico|jantar|almoçar
      umówić|wizytę|wizyta|zapisać się|zarezerwować|stolik|stolika|miejsce dla|coś wolnego|wolny termin|wolne terminy|boli|ząb|do dentysty|do lekarza|kolację|obiad`,
  },
  {
    titles:
      'interest|buy|quote|kauf|achat|devis|compr|presupuesto|acquist|preventivo|koop|offerte|orcamento|kupi|zainteresow',
    says: `interested|i want|we want|i'd like|we'd like|i would like|we would like|thinking about|thinking of|think about|looking for|looking at|looking into|looking to|considering|planning to|want to put|want to get|want to buy|want to install|going solar|a quote|an estimate|an offer|advice|a consultation|come and have a look|come out|have a look at our|look at our|saw your ad|your ad|found you online|recommended|do something about|we need|i need|need a|for my house|for our house|for our roof|on my roof|on our roof|for my home
      interesse|interessiere|ich möchte|wir möchten|ich will|wir wollen|wir überlegen|ich überlege|denke über|denken über|suche|suchen|ein angebot|beratung|ansehen|ihre anzeige|empfohlen|brauche|brauchen
      intéressé|intéressée|je voudrais|nous voudrions|j'aimerais|on aimerait|je pense à|on réfléchit|je cherche|un devis|des conseils|votre annonce|recommandé|besoin
      interesad*|me interesa|quiero|queremos|quisiera|me gustaría|nos gustaría|estoy pensando|estamos pensando|busco|buscamos|un presupuesto|asesoramiento|su anuncio|recomendad*|necesito
      interessat*|vorrei|vorremmo|voglio|vogliamo|mi piacerebbe|sto pensando|stiamo pensando|cerco|un preventivo|una consulenza|vostra pubblicità|consigliat*|ho bisogno
      geïnteresseerd|interesse|ik wil|we willen|ik zou graag|we zouden graag|ik denk aan|we denken aan|op zoek|een offerte|advies|jullie advertentie|aangeraden|ik heb nodig
      interessad*|quero|queremos|queria|gostaria|gostávamos|estou a pensar|estou pensando|estamos pensando|procuro|um orçamento|aconselhamento|vosso anúncio|recomendad*|preciso
      zainteresowan*|chcę|chcemy|chciałbym|chciałabym|chcielibyśmy|myślę o|myślimy o|szukam|wycenę|ofertę|doradztwo|reklamę|polecił*|potrzebuję`,
  },
];

interface Phrase {
  readonly parts: readonly (readonly string[])[];
}

interface Wish {
  readonly titles: RegExp;
  readonly asks: Intent['asks'];
  readonly plain: Phrases<true>;
  /** Phrases with holes or open ends, by the beginning of their first word. */
  readonly open: ReadonlyMap<string, readonly Phrase[]>;
}

const wishes = lazily(() => intents.map(wishOf));
const keyLength = 4;

function wishOf({ titles, asks, says }: Intent): Wish {
  const all = separated(says);
  const open = all.filter((phrase) => /[*_]/.test(phrase)).map((phrase) => ({ parts: partsOf(phrase) }));
  return {
    titles: beginnings(titles),
    asks,
    plain: phrases(all.filter((phrase) => !/[*_]/.test(phrase)).join('|')),
    open: Map.groupBy(open, ({ parts }) => keyOf((parts[0]?.[0] ?? '').replace('*', ''))),
  };
}

function beginnings(titles: string): RegExp {
  const all = titles.split('|').map((title) => folded(title).replace(/\.$/, String.raw`(?!\p{L})`));
  return new RegExp(String.raw`(?<!\p{L})(?:${all.join('|')})`, 'u');
}

function keyOf(word: string): string {
  return word.slice(0, keyLength);
}

interface Option {
  readonly id: string;
  readonly title: string;
  readonly description: string;
}

/** The option for what a reply wants; undefined if it says nothing of the kind, or if several options mean it. */
export function wishedOption(
  tokens: readonly Token[],
  options: readonly Option[],
  { language, isQuestion }: { readonly language: Language; readonly isQuestion: boolean },
): string | undefined {
  const titles = options.map(({ title }) => folded(title));
  const descriptions = options.map(({ description }) => folded(description.slice(0, longestDescription)));
  const aboutFacts = lazily(() => asksForFacts(tokens));
  // "Change a reservation" is no option to make one.
  const taken = new Set<number>();
  for (const wish of wishes()) {
    const named = positionsOf(titles, wish.titles);
    const own = named.filter((index) => !taken.has(index));
    const meant = own.length > 0 ? own : named.length > 0 ? named : positionsOf(descriptions, wish.titles);
    for (const index of named) taken.add(index);
    const [only] = meant;
    if (only === undefined || meant.length > 1) continue;
    if (isQuestion && wish.asks === undefined) continue;
    if (!isSaid(wish, tokens, language)) continue;
    if (wish.asks === 'unlessFacts' && aboutFacts()) continue;
    return options[only]?.id;
  }
  return undefined;
}

/** Characters of a description that name what the option is for. */
const longestDescription = 200;

function positionsOf(texts: readonly string[], pattern: RegExp): number[] {
  return texts.flatMap((text, index) => (pattern.test(text) ? [index] : []));
}

function isSaid({ plain, open }: Wish, tokens: readonly Token[], language: Language): boolean {
  return tokens.some(({ word }, from) => {
    const isFound =
      plain.has(tokens, from) ||
      (open.get(keyOf(word)) ?? []).some(({ parts }) => endOfParts(tokens, from, parts) !== undefined);
    return isFound && !isDenied(tokens, from, language);
  });
}

/** Words between a negation and what it denies. */
const reach = 3;

/** "I don't want a table" */
function isDenied(tokens: readonly Token[], from: number, language: Language): boolean {
  for (let index = from - 1; index >= Math.max(0, from - reach); index -= 1) {
    if (breaksClause(tokens[index + 1]?.gap ?? '')) return false;
    const isReply = index === 0 && from > 1 && tokens[index]?.word === 'no';
    if (negations[language].has(tokens[index]?.word ?? '') && !isReply) return true;
  }
  return false;
}
