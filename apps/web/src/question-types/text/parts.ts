import { ComparedText } from '../shared/ComparedText.tsx'
import { TextEditor } from './Editor.tsx'

/** Everything that loads with the first text question. */
export const textParts = { Editor: TextEditor, ComparedText }
