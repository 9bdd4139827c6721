import type { Reason } from '@postil/contract/wire/message.ts'
import { partsOf, renderMessage } from '@postil/contract/wire/render-message.ts'
import { json } from '#platform/db/codecs.ts'

/** The columns that say why a job failed: an English sentence, and its codes for other languages. */
export const failureReason = (reason: Reason) => ({ reason: renderMessage(reason), reason_parts: json(partsOf(reason)) })
