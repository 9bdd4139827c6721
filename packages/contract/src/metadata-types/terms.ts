import { z } from 'zod'
import { type JsonValue, jsonEquals, jsonFault } from '#wire/json.ts'
import { message } from '#wire/message.ts'
import { json } from '#wire/scalars.ts'
import { defineMetadataType } from './define.ts'

const isIn = (values: readonly JsonValue[], item: JsonValue) => values.some((value) => jsonEquals(value, item))
const TermsSettings = z.strictObject({ type: z.literal('terms'), values: z.array(json()).nullable() })

export const termsMetadata = defineMetadataType({
  kind: 'terms',
  createSettings: z.object({
    type: z.literal('terms'),
    values: z
      .array(json())
      .min(1)
      .max(250)
      .nullish()
      .transform((values): JsonValue[] | null => values ?? null),
  }),
  settings: TermsSettings,
  check: (value, { values }) => {
    const fault = jsonFault(value)
    if (fault !== null || values === null) return fault
    const items: readonly JsonValue[] = Array.isArray(value) ? value : [value]
    const unknown = items.find((item) => !isIn(values, item))
    return unknown === undefined ? null : message('mustBeTerm', { value: JSON.stringify(unknown) })
  },
  fixtures: {
    settings: { type: 'terms', values: ['a', 'b', 1, { x: [1] }] },
    valid: ['a', ['a', 'b'], [], 1, { x: [1] }, [{ x: [1] }]],
    invalid: ['c', ['a', 'c'], '1', true, 'A', { x: [2] }],
  },
})
