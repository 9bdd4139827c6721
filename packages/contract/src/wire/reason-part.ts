import { z } from 'zod'

/**
 * One part of a nested message. The first part is the outermost one. Each later part is inserted into the part before it, as the
 * parameter `reason`.
 */
export const ReasonPart = z.strictObject({ code: z.string(), params: z.record(z.string(), z.string()) })
export type ReasonPart = z.infer<typeof ReasonPart>
