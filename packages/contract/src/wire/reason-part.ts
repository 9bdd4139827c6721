import { z } from 'zod'

/** One part of a sentence. Parts are listed outermost first. Each part fills the parameter `reason` of the part before it. */
export const ReasonPart = z.strictObject({ code: z.string(), params: z.record(z.string(), z.string()) })
export type ReasonPart = z.infer<typeof ReasonPart>
