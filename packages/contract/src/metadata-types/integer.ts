import { z } from 'zod'
import { message } from '#wire/message.ts'
import { int } from '#wire/scalars.ts'
import { defineMetadataType } from './define.ts'
import { outOfRange, rangeCreate, rangeOut, refineRange } from './range.ts'

const IntegerSettings = z.strictObject({ type: z.literal('integer'), ...rangeOut(z.int()) })

export const integerMetadata = defineMetadataType({
  kind: 'integer',
  createSettings: z.object({ type: z.literal('integer'), ...rangeCreate(int()) }).superRefine(refineRange),
  settings: IntegerSettings,
  check: (value, settings) => {
    // Existing clients send booleans for integer properties. They become 0 and 1.
    const number = typeof value === 'boolean' ? Number(value) : value
    if (!Number.isSafeInteger(number)) return message('mustBeInteger')
    return outOfRange(Number(number), settings)
  },
  fixtures: {
    settings: { type: 'integer', min: 0, max: 10 },
    valid: [0, 10, 5, true],
    invalid: [-1, 11, 1.5, '5', [5], {}, 2 ** 53],
  },
})
