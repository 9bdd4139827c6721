import { ComparedText } from '../shared/ComparedText.tsx'
import { TextEditor } from './Editor.tsx'

/** The parts of this question type that are loaded with its first question. */
export const textParts = { Editor: TextEditor, ComparedText }
