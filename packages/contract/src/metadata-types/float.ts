import { z } from 'zod'
import { message } from '#wire/message.ts'
import { float } from '#wire/scalars.ts'
import { defineMetadataType } from './define.ts'
import { outOfRange, rangeCreate, rangeOut, refineRange } from './range.ts'

const FloatSettings = z.strictObject({ type: z.literal('float'), ...rangeOut(z.number()) })

export const floatMetadata = defineMetadataType({
  kind: 'float',
  createSettings: z.object({ type: z.literal('float'), ...rangeCreate(float()) }).superRefine(refineRange),
  settings: FloatSettings,
  check: (value, settings) => (typeof value === 'number' ? outOfRange(value, settings) : message('mustBeNumber')),
  fixtures: {
    settings: { type: 'float', min: -0.5, max: 1e300 },
    valid: [-0.5, 0, 1, 1e299, 2 ** 60],
    invalid: [-0.51, 1.1e300, '1', true, [1], {}],
  },
})
