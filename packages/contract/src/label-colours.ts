import { z } from 'zod'
import { Option } from './question-types/options.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { int, itemsOf, printedUuid, text } from './wire/scalars.ts'

/** The hue of a label's color in degrees. The theme sets the lightness. */
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

/** The values of the labels in a question's settings. Null for questions without labels, such as rating and text questions. */
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
  summary: 'List the custom colors of labels, in the order of the questions',
})
export const updateLabelColours = defineEndpoint({
  id: 'label_colours.update',
  method: 'PUT',
  path: '/questions/:question_id/label-colours',
  body: QuestionColoursUpdate,
  result: QuestionColours,
  errors: [403, 404],
  addition: true,
  summary: "Replace the custom colors of a question's labels; omitted labels lose their custom color",
})

export const labelColourEndpoints = [listLabelColours, updateLabelColours] as const
