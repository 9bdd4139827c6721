import type { QuestionKind } from '@postil/contract/question-types/index.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Notice } from '#ui/feedback/Notice.tsx'
import type { EditorProps, QuestionSlice, ValueProps } from './define.ts'

// A newer server can have types that this page doesn't know.
const Editor = ({ question }: EditorProps<never>) => {
  const { t } = useTranslation('question-types/shared')
  const { type } = (question as { readonly settings: { readonly type: string } }).settings
  return <Notice>{t('unsupported', { type })}</Notice>
}

const Value = ({ value }: ValueProps<never>) => <bdi>{JSON.stringify(value)}</bdi>

/** Replaces the slices of types that this page doesn't know. It keeps existing answers unchanged. The server checks them. */
export const unsupportedQuestion = {
  kind: 'unsupported',
  rules: { check: () => null },
  Editor,
  Value,
  completeness: (value: unknown) => (value === null ? 'empty' : 'complete'),
  untouched: null,
  scorePlace: 'header',
  valueFilter: null,
  shortcuts: [],
} as unknown as QuestionSlice<QuestionKind>
