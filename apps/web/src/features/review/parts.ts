import { loadQuestionBlock, loadRecordFields } from '#features/annotate/public.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'

export const RecordFields = lazyPart(async () => ({ default: await loadRecordFields() }))
export const QuestionBlock = lazyPart(async () => ({ default: await loadQuestionBlock() }))
