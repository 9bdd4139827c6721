import { z } from 'zod'

/** One part of a sentence: from the outermost, whose parameter `reason` the next one is, to the innermost. */
export const ReasonPart = z.strictObject({ code: z.string(), params: z.record(z.string(), z.string()) })
export type ReasonPart = z.infer<typeof ReasonPart>
