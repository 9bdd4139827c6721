import { ComparisonEditor } from './Editor.tsx'
import { ComparedFields } from './FieldsView.tsx'
import { ComparisonValue } from './Value.tsx'

/** The parts of this question type that are loaded when the web app first needs one of them. */
export const comparisonParts = { Editor: ComparisonEditor, Value: ComparisonValue, FieldsView: ComparedFields }
