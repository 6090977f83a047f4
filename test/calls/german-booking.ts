const services =
  'Kontrolle, 30 Minuten. Zahnreinigung, 45 Minuten, 90 Euro. Füllungen und Kronen nach Vereinbarung. Neue Patienten kommen bitte zehn Minuten früher.';
const hours = 'Montag bis Freitag, 8 bis 18 Uhr';
const name = { description: 'Vor- und Nachname', question: 'Wie ist Ihr Name, bitte?' };
const number = { description: 'Eine Telefonnummer', question: 'Unter welcher Nummer erreichen wir Sie?' };

/** The texts of the template "Appointment booking", with its samples, in German. */
export const germanBooking: Readonly<Record<string, string>> = {
  '/steps/welcome/introLine': 'Guten Tag, hier ist Mia, die KI-Assistentin der Zahnarztpraxis Sonnenschein.',
  '/steps/wish/prompt':
    'Möchten Sie einen Termin vereinbaren, einen Termin ändern, oder haben Sie eine Frage?',
  '/steps/wish/options/0/title': 'Einen neuen Termin vereinbaren',
  '/steps/wish/options/0/description': `Möchte einen Termin vereinbaren, ausmachen oder buchen, vorbeikommen oder jemanden sprechen, etwa für eines davon: ${services}`,
  '/steps/wish/options/1/title': 'Einen Termin ändern, verschieben oder absagen',
  '/steps/wish/options/1/description':
    'Hat schon einen Termin und möchte ihn verschieben, ändern oder absagen, oder verspätet sich.',
  '/steps/wish/options/2/title': 'Frage',
  '/steps/wish/options/2/description': 'Fragt nach Leistungen, Preisen oder Öffnungszeiten.',
  '/steps/wish/options/3/title': 'Eine Person',
  '/steps/wish/options/3/description': 'Möchte mit einer Person sprechen, oder es ist dringend.',
  '/steps/appointment/prompt':
    'Sehr gern. Worum geht es, und welcher Tag und welche Uhrzeit würden Ihnen passen?',
  '/steps/appointment/collect/0/description': `Eines davon: ${services}`,
  '/steps/appointment/collect/0/question': 'Worum geht es bei dem Termin?',
  '/steps/appointment/collect/1/description': `Ein Datum innerhalb der Öffnungszeiten: ${hours}`,
  '/steps/appointment/collect/1/question': 'Welcher Tag würde Ihnen passen?',
  '/steps/appointment/collect/2/description': 'Eine Uhrzeit innerhalb der Öffnungszeiten',
  '/steps/appointment/collect/2/question': 'Um wie viel Uhr?',
  '/steps/appointment/collect/3/description': name.description,
  '/steps/appointment/collect/3/question': name.question,
  '/steps/appointment/collect/4/description': number.description,
  '/steps/appointment/collect/4/question': number.question,
  '/steps/appointment/collect/5/description': 'Ob es der erste Besuch ist',
  '/steps/appointment/readBack':
    'Ich wiederhole: {{service}}, {{preferredDay}} um {{preferredTime}} Uhr, für {{callerName}}. Ist das richtig?',
  '/steps/change/prompt': 'Wie ist Ihr Name, an welchem Tag ist Ihr Termin, und was möchten Sie ändern?',
  '/steps/change/collect/0/description': name.description,
  '/steps/change/collect/0/question': name.question,
  '/steps/change/collect/1/description': 'Tag des gebuchten Termins',
  '/steps/change/collect/1/question': 'An welchem Tag ist Ihr Termin?',
  '/steps/change/collect/2/description':
    'Ein anderer Tag, eine andere Uhrzeit, eine Verspätung, oder dass der Termin ausfällt',
  '/steps/change/collect/2/question': 'Und was möchten Sie ändern?',
  '/steps/questions/facts': `Öffnungszeiten: ${hours}\n${services}`,
  '/steps/bookNow/prompt': 'Möchten Sie einen Termin vereinbaren?',
  '/steps/bookNow/options/0/title': 'Ja',
  '/steps/bookNow/options/0/description': 'Möchte einen Termin vereinbaren.',
  '/steps/bookNow/options/1/title': 'Frage',
  '/steps/bookNow/options/1/description': 'Hat noch eine Frage.',
  '/steps/bookNow/options/2/title': 'Nein',
  '/steps/bookNow/options/2/description': 'Braucht nichts weiter.',
  '/steps/frontDesk/line': 'Einen Moment bitte, ich verbinde Sie mit dem Team.',
  '/steps/callBack/prompt':
    'Es tut mir leid, gerade ist niemand frei. Nennen Sie mir bitte Ihren Namen, Ihre Nummer, und worum es geht? Wir rufen Sie zurück.',
  '/steps/callBack/collect/0/description': name.description,
  '/steps/callBack/collect/0/question': name.question,
  '/steps/callBack/collect/1/description': number.description,
  '/steps/callBack/collect/1/question': number.question,
  '/steps/callBack/collect/2/description': 'Worum es geht',
  '/steps/callBack/collect/2/question': 'Worum geht es?',
  '/steps/requested/line':
    'Vielen Dank, {{callerName}}. Ich habe Ihren Wunsch notiert. Das Team bestätigt ihn in Kürze. Auf Wiederhören!',
  '/steps/changeNoted/line':
    'Vielen Dank, {{callerName}}. Ich habe das weitergegeben, und das Team meldet sich bei Ihnen. Auf Wiederhören!',
  '/steps/callBackNoted/line': 'Vielen Dank, {{callerName}}. Wir rufen Sie zurück. Auf Wiederhören!',
  '/steps/callAgain/line': `Es tut mir leid, ich konnte das nicht aufnehmen. Wir sind ${hours} für Sie da. Bitte rufen Sie noch einmal an. Auf Wiederhören.`,
  '/steps/goodbye/line': 'Vielen Dank für Ihren Anruf bei der Zahnarztpraxis Sonnenschein. Auf Wiederhören!',
  '/variables/0/name': 'Leistung',
  '/variables/1/name': 'Tag',
  '/variables/2/name': 'Uhrzeit',
  '/variables/3/name': 'Name',
  '/variables/4/name': 'Telefonnummer',
  '/variables/5/name': 'Erster Besuch',
  '/variables/6/name': 'Gebuchter Tag',
  '/variables/7/name': 'Änderung',
  '/variables/8/name': 'Grund',
  '/hooks/commands/human/line':
    'Ich bin eine KI-Assistentin und kein Mensch. Wenn Sie lieber mit einer Person sprechen möchten, sagen Sie es einfach.',
  '/hooks/commands/swearing/line': 'Es tut mir leid, dass das ärgerlich ist. Ich gebe mein Bestes.',
  '/hooks/after/nodes/tellCaller/sendSms/message':
    'Zahnarztpraxis Sonnenschein: Wir haben Ihre Anfrage erhalten ({{service}}, {{preferredDay}} {{preferredTime}}) und bestätigen sie in Kürze.',
};
