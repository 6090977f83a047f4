import { assistantName, businessName, longText, optionalText, transferNumber, url } from '../fields.ts';
import { afterCall, collected, commands, ofCall, postToWebhook } from '../hooks.ts';
import {
  answer,
  callAgain,
  collect,
  end,
  greeting,
  message,
  nameOf,
  optional,
  required,
  route,
  textVariables,
  transfer,
} from '../steps.ts';
import type { Template } from '../template.ts';

const reachAt = required('reach', 'reach', 'A phone number or an email address', {
  question: 'And a number or an email address to reach you?',
  expects: 'phoneOrEmail',
});

export const leadQualification: Template = {
  key: 'lead-qualification',
  name: 'Lead qualification',
  description: 'Finds out what a prospect needs, brings good leads to sales at once, and files every lead.',
  icon: 'user-check',
  fields: [
    businessName('Brightfield Solar'),
    assistantName('Alex'),
    longText(
      'offer',
      'What you sell, to whom, and what the assistant may say about prices',
      'Solar panels and batteries for homes and small businesses, planned, installed and serviced. A typical home pays between 12,000 and 20,000 dollars. A visit and a quote are free.',
    ),
    longText(
      'goodLead',
      'What makes a good lead',
      'Owns the building, lives within 50 miles, and wants to start within six months.',
    ),
    optionalText(
      'qualifyingQuestion',
      'A question that tells whether a lead is good',
      'Do you own the building?',
    ),
    transferNumber('+12025550161'),
    url('leadsUrl', 'URL that receives each lead as a webhook', 'https://crm.brightfield.example/leads'),
  ],
  design: {
    schemaVersion: 'cd/1',
    entry: { stepId: 'welcome' },
    steps: {
      welcome: greeting(
        'Welcome',
        "Hello, and welcome to [[businessName]]. I'm [[assistantName]], the AI assistant of the team.",
        {
          whoAmI:
            '[[assistantName]], the AI assistant of the sales team of [[businessName]]: curious, never pushy.',
          purpose: 'Understand what the caller needs, and decide who should talk to them next.',
        },
        { next: 'caller' },
      ),
      caller: route('Who calls', 'What can I do for you today?', { fallback: 'questions' }, [
        [
          'interested',
          'Interested',
          'Wants to buy, or an offer, a quote, a visit or advice: [[offer]]',
          'need',
        ],
        ['question', 'Question', 'Has a question about what the business sells.', 'questions'],
        ['customer', 'Customer', 'Is a customer already, and something is broken or needs help.', 'toTeam'],
        ['person', 'A person', 'Asks for a person.', 'toTeam'],
      ]),
      questions: answer(
        'Questions',
        'Answer in one or two short sentences, from the facts and nothing else. Never promise a price, a date or a result.',
        '[[offer]]',
        { next: 'interest', noAnswer: 'toTeam', maxTurns: 1 },
      ),
      interest: route(
        'Interest',
        'Shall we look at what would suit you? It takes about two minutes.',
        { fallback: 'goodbye' },
        [
          ['yes', 'Yes', 'Would like to go on.', 'need'],
          ['question', 'Question', 'Has another question.', 'questions'],
          ['no', 'No', 'Not now, or not at all.', 'goodbye'],
        ],
      ),
      need: collect(
        'Need',
        'Tell me a little about it: what do you have in mind, where, and when would you like to start?',
        { next: 'contact', failed: 'toTeam' },
        [
          required('need', 'need', 'What they want, and why now', {
            question: 'What do you have in mind?',
            expects: 'reason',
          }),
          required('place', 'place', 'Town or postal code', {
            question: 'Where is it: which town or postal code?',
            expects: 'text',
          }),
          required('start', 'start', 'When they would like to start', {
            question: 'When would you like to start?',
            expects: 'text',
          }),
          optional('qualification', 'qualification', 'The answer to: [[qualifyingQuestion]]', {
            question: '[[qualifyingQuestion]]',
            expects: 'text',
          }),
          optional('budget', 'budget', 'What they expect to spend, where they say it'),
        ],
      ),
      contact: collect(
        'Contact',
        'Thank you, that helps. May I have your name, and a number or an email address to reach you?',
        { next: 'fit', failed: 'toTeam' },
        [nameOf('callerName'), reachAt, optional('company', 'company', 'Company, where they call for one')],
      ),
      // Whoever may be a good lead is asked; without a model nobody can tell.
      fit: route('Good lead?', undefined, { fallback: 'talkNow' }, [
        ['good', 'Good lead', 'What the caller has said fits this: [[goodLead]]', 'talkNow'],
        ['open', 'No lead', 'It clearly does not fit.', 'leadNoted'],
      ]),
      talkNow: route(
        'Talk now',
        'That sounds like something we do well. Would you like to speak with one of our specialists now?',
        { fallback: 'bestTime' },
        [
          ['now', 'Yes', 'Would like to be put through now.', 'toSales'],
          ['later', 'No', 'Would rather be called back later.', 'bestTime'],
        ],
      ),
      toSales: transfer(
        'To sales',
        "Wonderful. One moment please, I'll put you through and tell them what we talked about.",
        { mode: 'warm', failed: 'salesBusy' },
      ),
      salesBusy: message(
        'Sales busy',
        "I'm sorry, all our specialists are on a call. One of them will call you back.",
        { next: 'bestTime' },
      ),
      bestTime: collect('Best time', 'When would be a good time to call you?', { next: 'leadNoted' }, [
        optional('time', 'bestTime', 'Day and time of day', { expects: 'text' }),
      ]),
      toTeam: transfer('To the team', "One moment please, I'll put you through to a colleague.", {
        mode: 'cold',
        failed: 'nobodyFree',
      }),
      nobodyFree: collect(
        'Nobody is free',
        "I'm sorry, nobody is free right now. May I have your name, and how we can reach you?",
        { next: 'leadNoted', failed: 'callAgain' },
        [nameOf('callerName'), reachAt],
      ),
      callAgain,
      leadNoted: end(
        'Lead noted',
        "Thank you, {{callerName}}. I've noted everything, and we'll get back to you. Goodbye!",
      ),
      goodbye: end('Goodbye', 'Thank you for your interest in [[businessName]]. Goodbye!'),
    },
    variables: textVariables({
      need: 'Need',
      place: 'Place',
      start: 'Start',
      qualification: 'Answer to the question about leads',
      budget: 'Budget',
      callerName: 'Name',
      reach: 'Number or email',
      company: 'Company',
      bestTime: 'Best time',
    }),
    hooks: {
      ...commands({ person: 'toTeam', stop: 'goodbye' }),
      ...afterCall(
        { leadNoted: 'fileLead', toSales: 'fileLead' },
        {
          fileLead: postToWebhook('File the lead', '[[leadsUrl]]', [
            collected('name', 'name', 'callerName'),
            collected('reach', 'reach', 'reach'),
            collected('company', 'company', 'company'),
            ofCall('phone', 'calledFrom', 'callerPhone'),
            collected('need', 'need', 'need'),
            collected('place', 'place', 'place'),
            collected('start', 'start', 'start'),
            collected('qualification', 'qualification', 'qualification'),
            collected('budget', 'budget', 'budget'),
            collected('time', 'bestTime', 'bestTime'),
            ofCall('outcome', 'outcome', 'endedAtStep'),
          ]),
        },
      ),
    },
  },
};
