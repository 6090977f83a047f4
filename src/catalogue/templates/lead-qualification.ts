import { assistantName, businessName, transferNumber } from '../fields.ts';
import type { Template } from '../template.ts';

export const leadQualification: Template = {
  key: 'lead-qualification',
  name: 'Lead qualification',
  description: 'Finds out what a prospect needs, brings good leads to sales at once, and files every lead.',
  icon: 'user-check',
  fields: [
    businessName('Brightfield Solar'),
    assistantName('Alex'),
    {
      key: 'offer',
      label: 'What you sell, to whom, and what the assistant may say about prices',
      kind: 'longText',
      required: true,
      sample:
        'Solar panels and batteries for homes and small businesses, planned, installed and serviced. A typical home pays between 12,000 and 20,000 dollars. A visit and a quote are free.',
    },
    {
      key: 'goodLead',
      label: 'What makes a good lead',
      kind: 'longText',
      required: true,
      sample: 'Owns the building, lives within 50 miles, and wants to start within six months.',
    },
    transferNumber('+12025550161'),
    {
      key: 'leadsUrl',
      label: 'URL that receives each lead as a webhook',
      kind: 'url',
      required: true,
      sample: 'https://crm.brightfield.example/leads',
    },
  ],
  design: {
    schemaVersion: 'cd/1',
    entry: { stepId: 'welcome' },
    steps: {
      welcome: {
        kind: 'greeting',
        name: 'Welcome',
        introLine:
          "Hello, and welcome to [[businessName]]. I'm [[assistantName]], the AI assistant of the team.",
        persona: {
          whoAmI:
            '[[assistantName]], the AI assistant of the sales team of [[businessName]]: curious, never pushy.',
          purpose: 'Understand what the caller needs, and decide who should talk to them next.',
        },
        on: { next: 'caller' },
      },
      caller: {
        kind: 'route',
        name: 'Who calls',
        prompt: 'What can I do for you today?',
        options: [
          {
            id: 'interested',
            title: 'Interested',
            description: 'Wants an offer, a price or advice before buying.',
            target: 'need',
          },
          {
            id: 'question',
            title: 'Question',
            description: 'Has a question about what the business sells.',
            target: 'questions',
          },
          {
            id: 'customer',
            title: 'Customer',
            description: 'Has bought before and needs help.',
            target: 'toTeam',
          },
          { id: 'person', title: 'A person', description: 'Asks for a person.', target: 'toTeam' },
        ],
        on: { fallback: 'questions' },
      },
      questions: {
        kind: 'answer',
        name: 'Questions',
        instruction:
          'Answer in one or two short sentences, from what follows and nothing else. Never promise a price, a date or a result.\n\n[[offer]]',
        maxTurns: 6,
        on: { next: 'interest', noAnswer: 'toTeam' },
      },
      interest: {
        kind: 'route',
        name: 'Interest',
        prompt: 'Shall we look at what would suit you? It takes about two minutes.',
        options: [
          { id: 'yes', title: 'Yes', description: 'Would like to go on.', target: 'need' },
          { id: 'question', title: 'Question', description: 'Has another question.', target: 'questions' },
          { id: 'no', title: 'No', description: 'Not now, or not at all.', target: 'goodbye' },
        ],
        on: { fallback: 'goodbye' },
      },
      need: {
        kind: 'collect',
        name: 'Need',
        prompt:
          'Tell me a little about it: what do you have in mind, where, and when would you like to start?',
        collect: [
          { id: 'need', variableId: 'need', description: 'What they want, and why now', required: true },
          { id: 'place', variableId: 'place', description: 'Town or postal code', required: true },
          { id: 'start', variableId: 'start', description: 'When they would like to start', required: true },
          { id: 'budget', variableId: 'budget', description: 'What they expect to spend, where they say it' },
        ],
        maxAttempts: 3,
        on: { next: 'contact', failed: 'toTeam' },
      },
      contact: {
        kind: 'collect',
        name: 'Contact',
        prompt: 'Thank you, that helps. May I have your name, and a number or an email address to reach you?',
        collect: [
          { id: 'name', variableId: 'callerName', description: 'First and last name', required: true },
          {
            id: 'reach',
            variableId: 'reach',
            description: 'A phone number or an email address',
            required: true,
          },
          { id: 'company', variableId: 'company', description: 'Company, where they call for one' },
        ],
        maxAttempts: 3,
        on: { next: 'fit', failed: 'toTeam' },
      },
      fit: {
        kind: 'route',
        name: 'Good lead?',
        options: [
          {
            id: 'good',
            title: 'Good lead',
            description: 'What the caller has said fits this: [[goodLead]]',
            target: 'talkNow',
          },
          {
            id: 'open',
            title: 'Not yet',
            description: 'It fits in part, or too little is known.',
            target: 'leadNoted',
          },
        ],
        on: { fallback: 'leadNoted' },
      },
      talkNow: {
        kind: 'route',
        name: 'Talk now',
        prompt:
          'That sounds like something we do well. Would you like to speak with one of our specialists now?',
        options: [
          { id: 'now', title: 'Now', description: 'Would like to be put through.', target: 'toSales' },
          { id: 'later', title: 'Later', description: 'Would rather be called back.', target: 'bestTime' },
        ],
        on: { fallback: 'bestTime' },
      },
      toSales: {
        kind: 'transfer',
        name: 'To sales',
        line: "Wonderful. One moment please, I'll put you through and tell them what we talked about.",
        destination: { kind: 'phoneNumber', value: '[[transferNumber]]' },
        mode: 'warm',
        on: { failed: 'salesBusy' },
      },
      salesBusy: {
        kind: 'message',
        name: 'Sales busy',
        text: "I'm sorry, all our specialists are on a call. One of them will call you back.",
        on: { next: 'bestTime' },
      },
      bestTime: {
        kind: 'collect',
        name: 'Best time',
        prompt: 'When would be a good time to call you?',
        collect: [{ id: 'time', variableId: 'bestTime', description: 'Day and time of day', required: true }],
        maxAttempts: 2,
        on: { next: 'leadNoted', failed: 'leadNoted' },
      },
      toTeam: {
        kind: 'transfer',
        name: 'To the team',
        line: "One moment please, I'll put you through to a colleague.",
        destination: { kind: 'phoneNumber', value: '[[transferNumber]]' },
        mode: 'cold',
        on: { failed: 'nobodyFree' },
      },
      nobodyFree: {
        kind: 'collect',
        name: 'Nobody is free',
        prompt: "I'm sorry, nobody is free right now. May I have your name, and how we can reach you?",
        collect: [
          { id: 'name', variableId: 'callerName', description: 'First and last name', required: true },
          {
            id: 'reach',
            variableId: 'reach',
            description: 'A phone number or an email address',
            required: true,
          },
        ],
        maxAttempts: 3,
        on: { next: 'leadNoted', failed: 'callAgain' },
      },
      callAgain: {
        kind: 'end',
        name: 'Call again',
        line: "I'm sorry, I couldn't take that down. Please call again a little later. Goodbye.",
      },
      leadNoted: {
        kind: 'end',
        name: 'Lead noted',
        line: "Thank you, {{callerName}}. I've noted everything, and we'll get back to you. Goodbye!",
      },
      goodbye: {
        kind: 'end',
        name: 'Goodbye',
        line: 'Thank you for your interest in [[businessName]]. Goodbye!',
      },
    },
    variables: [
      { id: 'need', name: 'Need', type: 'text' },
      { id: 'place', name: 'Place', type: 'text' },
      { id: 'start', name: 'Start', type: 'text' },
      { id: 'budget', name: 'Budget', type: 'text' },
      { id: 'callerName', name: 'Name', type: 'text' },
      { id: 'reach', name: 'Number or email', type: 'text' },
      { id: 'company', name: 'Company', type: 'text' },
      { id: 'bestTime', name: 'Best time', type: 'text' },
    ],
    hooks: {
      after: {
        entryPoints: { leadNoted: 'fileLead', toSales: 'fileLead' },
        nodes: {
          fileLead: {
            id: 'fileLead',
            name: 'File the lead',
            webhook: {
              url: '[[leadsUrl]]',
              payload: [
                { id: 'name', key: 'name', source: 'variable', variableId: 'callerName' },
                { id: 'reach', key: 'reach', source: 'variable', variableId: 'reach' },
                { id: 'company', key: 'company', source: 'variable', variableId: 'company' },
                { id: 'phone', key: 'calledFrom', source: 'variable', systemVariable: 'callerPhone' },
                { id: 'need', key: 'need', source: 'variable', variableId: 'need' },
                { id: 'place', key: 'place', source: 'variable', variableId: 'place' },
                { id: 'start', key: 'start', source: 'variable', variableId: 'start' },
                { id: 'budget', key: 'budget', source: 'variable', variableId: 'budget' },
                { id: 'time', key: 'bestTime', source: 'variable', variableId: 'bestTime' },
                { id: 'outcome', key: 'outcome', source: 'variable', systemVariable: 'endedAtStep' },
              ],
              timeoutSeconds: 10,
            },
            next: { end: true },
          },
        },
      },
    },
  },
};
