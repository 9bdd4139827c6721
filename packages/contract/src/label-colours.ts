import { z } from 'zod'
import { Option } from './question-types/options.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { int, itemsOf, printedUuid, text } from './wire/scalars.ts'

/** The hue of a label's colour, in degrees; how light it is belongs to the theme that shows it. */
const LabelColour = z.strictObject({ value: z.string(), hue: z.int() })
export type LabelColour = z.infer<typeof LabelColour>

export const QuestionColours = z.strictObject({ question_id: printedUuid(), colours: z.array(LabelColour) })
export type QuestionColours = z.infer<typeof QuestionColours>

export const QuestionColoursUpdate = z.object({
  colours: z.array(z.object({ value: text(), hue: int({ ge: 0, le: 359 }) })).superRefine((colours, ctx) => {
    if (new Set(colours.map(({ value }) => value)).size === colours.length) return
    ctx.addIssue({ code: 'custom', message: 'Value error, Values must be unique', params: { type: 'value_error' } })
  }),
})
export type QuestionColoursUpdate = z.infer<typeof QuestionColoursUpdate>

const Labelled = z.object({ options: z.array(Option) })

/** The values that a question of these settings has labels for; null where it has none, as a rating or a text. */
export const labelsOf = (settings: unknown): readonly string[] | null => {
  const labelled = Labelled.safeParse(settings)
  return labelled.success ? labelled.data.options.map(({ value }) => value) : null
}

export const listLabelColours = defineEndpoint({
  id: 'label_colours.list',
  method: 'GET',
  path: '/datasets/:dataset_id/label-colours',
  result: itemsOf(QuestionColours),
  errors: [403, 404],
  addition: true,
  summary: 'Colours that were chosen for the labels of questions, in the order of the questions',
})
export const updateLabelColours = defineEndpoint({
  id: 'label_colours.update',
  method: 'PUT',
  path: '/questions/:question_id/label-colours',
  body: QuestionColoursUpdate,
  result: QuestionColours,
  errors: [403, 404],
  addition: true,
  summary: "Choose colours of a question's labels; those that are left out have none of their own",
})

export const labelColourEndpoints = [listLabelColours, updateLabelColours] as const
