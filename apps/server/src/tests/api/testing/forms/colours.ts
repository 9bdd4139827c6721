import { idIn } from '../refusals/refusal.ts'
import { type Form, int, list, required, text, values } from './rule.ts'

export const colourForms: readonly Form[] = [
  {
    id: 'label_colours.update',
    good: ({ rich, word }) => ({
      params: { question_id: idIn(rich.questions, `${word}-label`) },
      body: { colours: [{ value: `${word}-a`, hue: 200 }] },
    }),
    rules: [
      list('colours', required, { item: () => ({}) }),
      values('colours', required, 'list_type', [
        [
          [
            { value: 'a', hue: 1 },
            { value: 'a', hue: 2 },
          ],
          'value_error',
        ],
      ]),
      text('colours.0.value', required, {}),
      int('colours.0.hue', required, { ge: 0, le: 359, good: 12 }),
    ],
  },
]
