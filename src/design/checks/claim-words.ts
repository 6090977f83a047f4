/**
 * Sentences in the eight languages of the disclosure rule in which an agent says that it has booked or sent something. They are
 * narrow on purpose: what was noted or passed on is no such claim, nor is a promise, a condition or a denial.
 */
const claims: readonly RegExp[] = [
  // English
  /(?<!\b(?:if|once|when|until|after|before|unless|that) )\bi(?: have|['’]ve) (?:just |now |already )?(?:booked|reserved|scheduled|rescheduled|sent|texted|e-?mailed|cancelled|canceled)\b/,
  /(?<!\b(?:if|once|when|until|unless|whether) )\b(?:you are|you['’]re|your (?:appointment|table|booking|reservation) (?:is|has been)) (?:now |all )?(?:booked|reserved|scheduled|confirmed)\b(?! (?:once|when|if|by|as soon))/,
  // German
  /\bich habe\b(?![^.!?]*\b(?:nicht|nichts|kein\p{L}*)\b)[^.!?]{0,80}\b(?:gebucht|reserviert|eingetragen|geschickt|gesendet|verschickt|storniert)\b/u,
  /\bihre?n? (?:termin|tisch|buchung|reservierung) (?:ist|wurde) (?:jetzt |nun |hiermit )?(?:gebucht|reserviert|bestätigt|eingetragen)\b/u,
  // Spanish
  /(?<!\bno )(?<!\bno (?:le|te|les) )\bhe (?:reservado|agendado|enviado|mandado|cancelado)\b/,
  /\b(?:su|tu) (?:cita|mesa|reserva) (?:está|queda|ha quedado|ha sido) (?:ya )?(?:reservada|confirmada|agendada)/u,
  // French
  /(?:\bj['’]ai|\bje (?:vous|t['’]|te|l['’]|le|la|les) ?ai) (?:bien |déjà )?(?:réservé|envoyé|annulé|planifié)/u,
  /\b(?:votre|ton|ta) (?:rendez-vous|table|réservation) est (?:bien |maintenant )?(?:réservée?|confirmée?|prise?)(?!\p{L})/u,
  // Italian
  /(?<!\bnon )(?<!\bnon (?:le|ti|vi) )\bho (?:già |appena )?(?:prenotato|inviato|mandato|fissato|annullato|spedito)\b/u,
  /\b(?:suo|sua|tuo|tua) (?:appuntamento|tavolo|prenotazione) è (?:stat[oa] )?(?:ora )?(?:prenotat[oa]|confermat[oa]|fissat[oa])\b/u,
  // Dutch
  /\bik heb\b(?![^.!?]*\b(?:niet|niets|geen)\b)[^.!?]{0,80}\b(?:geboekt|gereserveerd|ingepland|gestuurd|verzonden|verstuurd|geannuleerd)\b/,
  /\b(?:uw|je) (?:afspraak|tafel|reservering|boeking) is (?:nu )?(?:geboekt|gereserveerd|bevestigd|ingepland)\b/,
  // Polish
  /(?<!\p{L})(?<!nie )(?:zarezerwowałam|zarezerwowałem|umówiłam|umówiłem|wysłałam|wysłałem|anulowałam|anulowałem)(?!\p{L})/u,
  /(?:wizyta|rezerwacja|stolik) (?:została|został|jest) (?:już )?(?:zarezerwowan[ay]|potwierdzon[ay]|umówion[ay])(?!\p{L})/u,
  // Portuguese
  /(?<!\p{L})(?<!não )(?<!não (?:lhe|te) )(?:reservei|agendei|marquei|enviei|mandei|cancelei)(?!\p{L})/u,
  /(?:sua|seu|tua|teu) (?:consulta|mesa|reserva|marcação|horário) (?:está|foi|ficou) (?:já )?(?:reservad[ao]|confirmad[ao]|agendad[ao]|marcad[ao])(?!\p{L})/u,
];

/** True if a line says that something has been booked or sent. */
export function claimsAct(line: string): boolean {
  const text = line.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ');
  return claims.some((claim) => claim.test(text));
}
