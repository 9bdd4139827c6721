import { spanRules } from '@postil/contract/question-types/span.rules.ts'
import { SpanEditor } from './Editor.tsx'
import { SpanFieldEditor } from './text/FieldEditor.tsx'
import { SpanValue } from './Value.tsx'
import { SpanValueInContext } from './ValueInContext.tsx'

export const spanParts = {
  rules: spanRules,
  Editor: SpanEditor,
  FieldEditor: SpanFieldEditor,
  Value: SpanValue,
  ValueInContext: SpanValueInContext,
}
