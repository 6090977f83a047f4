/** The texts of the widget itself. What the agent says is in the agent's own language. */
export interface Texts {
  readonly title: string;
  readonly assistant: string;
  /** Says that an AI answers. */
  readonly disclosure: string;
  readonly open: string;
  readonly openUnread: string;
  readonly close: string;
  readonly end: string;
  readonly log: string;
  readonly write: string;
  readonly send: string;
  readonly speak: string;
  readonly finishSpeaking: string;
  readonly listening: string;
  readonly microphoneRefused: string;
  readonly microphoneFailed: string;
  readonly you: string;
  readonly typing: string;
  readonly connecting: string;
  readonly reconnecting: string;
  readonly unreachable: string;
  readonly offline: string;
  readonly tooFast: string;
  readonly tryAgain: string;
  readonly startAgain: string;
  readonly ended: string;
  readonly expired: string;
  readonly handedOver: string;
  readonly call: string;
  readonly wrongKey: string;
  readonly wrongAgent: string;
  readonly wrongOrigin: string;
  readonly disabled: string;
  readonly unavailable: string;
  readonly failed: string;
}

const en: Texts = {
  title: 'Chat',
  assistant: 'AI assistant',
  disclosure: 'You are chatting with an AI, not with a person. It can make mistakes.',
  open: 'Open the chat',
  openUnread: 'Open the chat: new message',
  close: 'Close the chat',
  end: 'End chat',
  log: 'Messages',
  write: 'Write a message',
  send: 'Send',
  speak: 'Speak',
  finishSpeaking: 'Stop, and send what you said',
  listening: 'Listening. Speak now.',
  microphoneRefused: 'The microphone is not allowed on this page. Allow it in your browser, or write.',
  microphoneFailed: 'The microphone cannot be used. You can write instead.',
  you: 'You',
  typing: 'The assistant is writing',
  connecting: 'Connecting…',
  reconnecting: 'Connection lost. Reconnecting…',
  unreachable: 'The chat cannot be reached. Trying again…',
  offline: 'You are offline. The chat continues when you are back.',
  tooFast: 'Too many messages at once. Please wait a moment…',
  tryAgain: 'Try again',
  startAgain: 'Start a new chat',
  ended: 'This chat has ended.',
  expired: 'This chat has expired.',
  handedOver: 'A person takes over.',
  call: 'To talk to a person, call',
  wrongKey: 'This chat is not set up correctly: its key is not valid.',
  wrongAgent: 'This chat is not set up correctly: its agent does not exist, or it does not chat.',
  wrongOrigin: 'This chat may not be used on this website.',
  disabled: 'This chat is switched off at the moment.',
  unavailable: 'This chat is not available at the moment.',
  failed: 'Something went wrong. Your message has not been lost.',
};

const de: Texts = {
  title: 'Chat',
  assistant: 'KI-Assistent',
  disclosure: 'Sie chatten mit einer KI, nicht mit einem Menschen. Sie kann Fehler machen.',
  open: 'Chat öffnen',
  openUnread: 'Chat öffnen: neue Nachricht',
  close: 'Chat schließen',
  end: 'Chat beenden',
  log: 'Nachrichten',
  write: 'Nachricht schreiben',
  send: 'Senden',
  speak: 'Sprechen',
  finishSpeaking: 'Beenden und das Gesagte senden',
  listening: 'Ich höre zu. Sprechen Sie jetzt.',
  microphoneRefused:
    'Das Mikrofon ist auf dieser Seite nicht erlaubt. Erlauben Sie es im Browser, oder schreiben Sie.',
  microphoneFailed: 'Das Mikrofon lässt sich nicht verwenden. Sie können stattdessen schreiben.',
  you: 'Sie',
  typing: 'Der Assistent schreibt',
  connecting: 'Verbindung wird hergestellt …',
  reconnecting: 'Verbindung unterbrochen. Neuer Versuch …',
  unreachable: 'Der Chat ist nicht erreichbar. Neuer Versuch …',
  offline: 'Sie sind offline. Der Chat geht weiter, sobald Sie wieder online sind.',
  tooFast: 'Zu viele Nachrichten auf einmal. Einen Moment bitte …',
  tryAgain: 'Erneut versuchen',
  startAgain: 'Neuen Chat beginnen',
  ended: 'Dieser Chat ist beendet.',
  expired: 'Dieser Chat ist abgelaufen.',
  handedOver: 'Ein Mensch übernimmt.',
  call: 'Einen Menschen erreichen Sie unter',
  wrongKey: 'Dieser Chat ist nicht richtig eingerichtet: Sein Schlüssel ist ungültig.',
  wrongAgent:
    'Dieser Chat ist nicht richtig eingerichtet: Seinen Agenten gibt es nicht, oder er chattet nicht.',
  wrongOrigin: 'Dieser Chat darf auf dieser Website nicht verwendet werden.',
  disabled: 'Dieser Chat ist zurzeit abgeschaltet.',
  unavailable: 'Dieser Chat ist zurzeit nicht verfügbar.',
  failed: 'Etwas ist schiefgegangen. Ihre Nachricht ist nicht verloren.',
};

const es: Texts = {
  title: 'Chat',
  assistant: 'Asistente de IA',
  disclosure: 'Está chateando con una IA, no con una persona. Puede cometer errores.',
  open: 'Abrir el chat',
  openUnread: 'Abrir el chat: mensaje nuevo',
  close: 'Cerrar el chat',
  end: 'Terminar el chat',
  log: 'Mensajes',
  write: 'Escriba un mensaje',
  send: 'Enviar',
  speak: 'Hablar',
  finishSpeaking: 'Terminar y enviar lo dicho',
  listening: 'Escuchando. Hable ahora.',
  microphoneRefused: 'El micrófono no está permitido en esta página. Permítalo en el navegador o escriba.',
  microphoneFailed: 'No se puede usar el micrófono. Puede escribir.',
  you: 'Usted',
  typing: 'El asistente está escribiendo',
  connecting: 'Conectando…',
  reconnecting: 'Se perdió la conexión. Reconectando…',
  unreachable: 'No se puede conectar con el chat. Reintentando…',
  offline: 'No hay conexión. El chat continúa cuando la recupere.',
  tooFast: 'Demasiados mensajes a la vez. Espere un momento…',
  tryAgain: 'Reintentar',
  startAgain: 'Empezar otro chat',
  ended: 'Este chat ha terminado.',
  expired: 'Este chat ha caducado.',
  handedOver: 'Una persona le atenderá.',
  call: 'Para hablar con una persona, llame al',
  wrongKey: 'Este chat no está bien configurado: su clave no es válida.',
  wrongAgent: 'Este chat no está bien configurado: su agente no existe o no chatea.',
  wrongOrigin: 'Este chat no se puede usar en este sitio web.',
  disabled: 'Este chat está desactivado por el momento.',
  unavailable: 'Este chat no está disponible por el momento.',
  failed: 'Algo ha fallado. Su mensaje no se ha perdido.',
};

const fr: Texts = {
  title: 'Chat',
  assistant: 'Assistant IA',
  disclosure: 'Vous discutez avec une IA, pas avec une personne. Elle peut se tromper.',
  open: 'Ouvrir le chat',
  openUnread: 'Ouvrir le chat : nouveau message',
  close: 'Fermer le chat',
  end: 'Terminer le chat',
  log: 'Messages',
  write: 'Écrivez un message',
  send: 'Envoyer',
  speak: 'Parler',
  finishSpeaking: 'Terminer et envoyer ce que vous avez dit',
  listening: 'À l’écoute. Parlez maintenant.',
  microphoneRefused:
    'Le micro n’est pas autorisé sur cette page. Autorisez-le dans le navigateur, ou écrivez.',
  microphoneFailed: 'Le micro ne peut pas être utilisé. Vous pouvez écrire.',
  you: 'Vous',
  typing: 'L’assistant écrit',
  connecting: 'Connexion…',
  reconnecting: 'Connexion perdue. Reconnexion…',
  unreachable: 'Le chat est injoignable. Nouvel essai…',
  offline: 'Vous êtes hors ligne. Le chat reprendra dès votre retour.',
  tooFast: 'Trop de messages à la fois. Un instant…',
  tryAgain: 'Réessayer',
  startAgain: 'Commencer un nouveau chat',
  ended: 'Ce chat est terminé.',
  expired: 'Ce chat a expiré.',
  handedOver: 'Une personne prend le relais.',
  call: 'Pour parler à une personne, appelez le',
  wrongKey: 'Ce chat n’est pas bien configuré : sa clé n’est pas valable.',
  wrongAgent: 'Ce chat n’est pas bien configuré : son agent n’existe pas ou ne discute pas par écrit.',
  wrongOrigin: 'Ce chat ne peut pas être utilisé sur ce site.',
  disabled: 'Ce chat est désactivé pour le moment.',
  unavailable: 'Ce chat n’est pas disponible pour le moment.',
  failed: 'Une erreur s’est produite. Votre message n’est pas perdu.',
};

const ar: Texts = {
  title: 'محادثة',
  assistant: 'مساعد ذكاء اصطناعي',
  disclosure: 'أنت تتحدث مع ذكاء اصطناعي وليس مع شخص. وقد يخطئ.',
  open: 'افتح المحادثة',
  openUnread: 'افتح المحادثة: رسالة جديدة',
  close: 'أغلق المحادثة',
  end: 'إنهاء المحادثة',
  log: 'الرسائل',
  write: 'اكتب رسالة',
  send: 'إرسال',
  speak: 'تحدّث',
  finishSpeaking: 'توقف وأرسل ما قلته',
  listening: 'أستمع إليك. تحدّث الآن.',
  microphoneRefused: 'الميكروفون غير مسموح به في هذه الصفحة. اسمح به في المتصفح أو اكتب.',
  microphoneFailed: 'لا يمكن استخدام الميكروفون. يمكنك الكتابة بدلًا من ذلك.',
  you: 'أنت',
  typing: 'المساعد يكتب',
  connecting: 'جارٍ الاتصال…',
  reconnecting: 'انقطع الاتصال. جارٍ إعادة الاتصال…',
  unreachable: 'تعذر الوصول إلى المحادثة. جارٍ إعادة المحاولة…',
  offline: 'أنت غير متصل بالإنترنت. تستمر المحادثة عند عودة الاتصال.',
  tooFast: 'رسائل كثيرة دفعة واحدة. انتظر لحظة من فضلك…',
  tryAgain: 'أعد المحاولة',
  startAgain: 'ابدأ محادثة جديدة',
  ended: 'انتهت هذه المحادثة.',
  expired: 'انتهت صلاحية هذه المحادثة.',
  handedOver: 'سيتابع معك أحد الموظفين.',
  call: 'للتحدث مع شخص، اتصل بالرقم',
  wrongKey: 'هذه المحادثة غير معدّة بشكل صحيح: مفتاحها غير صالح.',
  wrongAgent: 'هذه المحادثة غير معدّة بشكل صحيح: وكيلها غير موجود أو لا يدعم المحادثة.',
  wrongOrigin: 'لا يمكن استخدام هذه المحادثة على هذا الموقع.',
  disabled: 'هذه المحادثة متوقفة حاليًا.',
  unavailable: 'هذه المحادثة غير متاحة حاليًا.',
  failed: 'حدث خطأ ما. لم تضع رسالتك.',
};

export const texts = { en, de, es, fr, ar };
export type Language = keyof typeof texts;
/** The languages of `texts` that are written from right to left. */
export const rightToLeft: ReadonlySet<Language> = new Set(['ar']);

/** Returns the language of a BCP 47 tag such as `fr-CA`, or English if the widget has no texts in it. */
export function languageOf(tag: string): Language {
  const [primary = ''] = tag.toLowerCase().split(/[-_]/);
  return primary in texts ? (primary as Language) : 'en';
}
