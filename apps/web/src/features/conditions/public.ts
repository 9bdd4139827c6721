export { ConditionEditor } from './ConditionEditor.tsx'
export { isIncomplete, type Subjects } from './condition-edit.ts'
export { DependencyTree, ShownWhen } from './DependencyTree.tsx'
