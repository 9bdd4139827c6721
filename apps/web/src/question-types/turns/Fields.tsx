import type { FieldEditorProps, SharedFieldEditorProps } from '../define.ts'
import { lazyEditor } from '../shared/lazy-editor.ts'
import { TurnsField } from './TurnsField.tsx'

const TraceTurns = lazyEditor(async () => (await import('./TraceTurns.tsx')).TraceTurns)

/** The turns of a conversation, or the steps of a trace, with the labels of all questions about them. */
export const TurnsOrSteps = (props: SharedFieldEditorProps<'turns'>) =>
  Array.isArray(props.editors[0]?.value) ? <TurnsField {...props} /> : <TraceTurns {...props} />

/** Turns or steps with the labels of one question. */
export const OneTurnsField = (props: FieldEditorProps<'turns'>) => <TurnsOrSteps editors={[props]} isBeside={false} />
