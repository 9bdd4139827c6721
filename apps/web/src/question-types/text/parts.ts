import { ComparedText } from '../shared/ComparedText.tsx'
import { TextEditor } from './Editor.tsx'

/** The parts of this question type that are loaded together, when one of them is first needed. */
export const textParts = { Editor: TextEditor, ComparedText }
