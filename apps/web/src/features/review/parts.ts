import { loadQuestionBlock, loadRecordFields, loadRecordReading, loadShortcutParts } from '#features/annotate/public.ts'
import { loadCommentsButton } from '#features/comments/public.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'

export const RecordFields = lazyPart(async () => ({ default: await loadRecordFields() }))
export const RecordReading = lazyPart(async () => ({ default: await loadRecordReading() }))
export const QuestionBlock = lazyPart(async () => ({ default: await loadQuestionBlock() }))
export const CommentsButton = lazyPart(async () => ({ default: await loadCommentsButton() }))
export const ShortcutDialog = lazyPart(async () => ({ default: (await loadShortcutParts()).ShortcutDialog }))
export const ShortcutSection = lazyPart(async () => ({ default: (await loadShortcutParts()).ShortcutSection }))
