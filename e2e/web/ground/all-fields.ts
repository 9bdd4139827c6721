import type { RunningServer } from '../../harness/server.ts'
import { greyPng } from '../support/png.ts'
import { givenAnnotation } from './annotation.ts'

const NAMES = 'Angela Keller of the European Central Bank spoke in Frankfurt on Monday.'
const report = [NAMES, ...Array.from({ length: 60 }, (_, i) => `Paragraph ${i + 1} says what followed from it.`)].join('\n')
const notes =
  'Euler: $e^{i\\pi}+1=0$.\n\n$$\\sum_{n=1}^\\infty \\frac1{n^2}=\\frac{\\pi^2}6$$\n\n```python\n# Adds\ndef add(a, b=2):\n    return f"{a + b}"\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |'
const talk = Array.from({ length: 30 }, (_, i) => ({
  role: ['user', 'assistant', 'tool'][i % 3] ?? '',
  content: `Turn **${i + 1}**: is this about the bank?`,
}))

const field = (name: string, title: string, settings: object) => ({ name, title, required: false, settings })
const at = (label: string, words: string) => {
  const start = NAMES.indexOf(words)
  return { label, start, end: start + words.length }
}
const options = (...texts: readonly string[]) => texts.map((text) => ({ value: text.toLowerCase(), text }))

/** A published dataset with fields of every kind, long ones among them, and spans that overlap. */
export const givenAllFields = (server: RunningServer, workspaceId: string): Promise<string> =>
  givenAnnotation(server, {
    name: 'all fields',
    workspaceId,
    fields: [
      { ...field('report', 'Report', { type: 'text', use_markdown: false }), required: true },
      field('scan', 'Scan', { type: 'image' }),
      field('notes', 'Notes', { type: 'text', use_markdown: true }),
      field('talk', 'Talk', { type: 'chat', use_markdown: true }),
      field('card', 'Card', { type: 'custom', template: '<b>{{record.fields.card.name}}</b>', advanced_mode: false }),
    ],
    questions: {
      names: {
        title: 'Names',
        required: true,
        settings: {
          type: 'span',
          field: 'report',
          options: options('Person', 'Organisation', 'Place', 'Time'),
          allow_overlapping: true,
        },
      },
      tone: { title: 'Tone', required: true, settings: { type: 'label_selection', options: options('Calm', 'Angry') } },
    },
    records: [
      {
        fields: { report, scan: greyPng(1600, 900), notes, talk, card: { name: 'A card' } },
        suggestions: {
          names: {
            agent: 'model-a',
            value: [
              at('person', 'Angela Keller'),
              at('organisation', 'European Central Bank'),
              at('place', 'European'),
              at('place', 'Frankfurt'),
              at('time', 'on'),
            ],
            score: [0.9, 0.8, 0.3, 0.7, 0.2],
          },
        },
      },
    ],
  })
