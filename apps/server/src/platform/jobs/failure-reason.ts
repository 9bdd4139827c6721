import type { Reason } from '@postil/contract/wire/message.ts'
import { partsOf, renderMessage } from '@postil/contract/wire/render-message.ts'
import { json } from '#platform/db/codecs.ts'

/**
 * The columns that say why a job failed. `reason` is an English sentence. `reason_parts` contains codes, from which other
 * languages are rendered.
 */
export const failureReason = (reason: Reason) => ({ reason: renderMessage(reason), reason_parts: json(partsOf(reason)) })
