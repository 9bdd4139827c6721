import { ComparisonEditor } from './Editor.tsx'
import { ComparedFields } from './FieldsView.tsx'
import { ComparisonValue } from './Value.tsx'

/** Everything that loads with the first comparison. */
export const comparisonParts = { Editor: ComparisonEditor, Value: ComparisonValue, FieldsView: ComparedFields }
