import type { QuestionKind } from '@postil/contract/question-types/index.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Suggestion } from '@postil/contract/suggestions.ts'
import type { JsonObject } from '@postil/contract/wire/json.ts'
import type { MouseEvent } from 'react'
import { memo } from 'react'
import { formatScore } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { Answer } from '#lib/drafts/draft.ts'
import { completenessOf, splitLabels } from '#question-types/completeness.ts'
import type { AnswerOf, ChangeOptions, QuestionOf, Shared, SuggestionOf } from '#question-types/define.ts'
import type { KeyRegistry } from '#question-types/question-keys.ts'
import { QuestionKeysContext } from '#question-types/question-keys.ts'
import { questionSlice } from '#question-types/registry.ts'
import bar from '#question-types/shared/margin-bar.module.css'
import { announce } from '#ui/feedback/announcer.ts'
import { InfoIcon } from '#ui/marks/first-icons.tsx'
import { SuggestionIcon } from '#ui/marks/icons.tsx'
import { VisuallyHidden } from '#ui/marks/VisuallyHidden.tsx'
import { Tooltip } from '#ui/overlays/Tooltip.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { noAnswer, suggestionUseOf } from '../answers.ts'
import styles from './QuestionBlock.module.css'
import { SplitText } from './SplitText.tsx'
import { SuggestionState } from './SuggestionState.tsx'

type Props = {
  readonly question: Question
  /** Whether the question can't be answered, for example because the record is still loading. */
  readonly isInert?: boolean
  readonly answer: Answer
  readonly suggestion: Suggestion | null
  readonly fields: JsonObject | null
  readonly shared: Shared
  readonly keys: KeyRegistry
  readonly isActive: boolean
  /** Whether the user tried to submit while this question was unanswered. */
  readonly isMissing: boolean
  readonly onAnswer: (question: Question, answer: Answer, options?: ChangeOptions) => void
  readonly onFocus: (question: Question) => void
}

const Origin = ({ suggestion, withScore }: { readonly suggestion: Suggestion; readonly withScore: boolean }) => {
  const { t } = useTranslation('features/annotate')
  const score = withScore && typeof suggestion.score === 'number' ? formatScore(suggestion.score) : null
  return (
    <span className={styles['origin']}>
      <SuggestionIcon size={12} />
      {suggestion.agent === null ? (
        <span className={styles['agent']}>{t('question.suggested')}</span>
      ) : (
        <>
          <VisuallyHidden>{t('question.suggestedBy')}</VisuallyHidden>
          <bdi className={styles['agent']}>{suggestion.agent}</bdi>
        </>
      )}
      {score}
    </span>
  )
}

export const QuestionBlock = memo(
  ({ question, isInert = false, answer, suggestion, fields, shared, keys, isActive, isMissing, onAnswer, onFocus }: Props) => {
    const { t } = useTranslation('features/annotate')
    const Title = isInert ? 'p' : 'h2'
    const slice = questionSlice(question.settings)
    const titleId = `question-${question.id}`
    const noteId = `${titleId}-note`
    const descriptionId = `${titleId}-description`
    const isPartial = completenessOf(question, answer.value, fields) === 'partial'
    const [split] = splitLabels(question, answer.value)
    const describedBy =
      [isMissing && noteId, question.description !== null && descriptionId].filter(Boolean).join(' ') || undefined
    const isCleared = answer.value === null
    const use = suggestion && suggestionUseOf(question, answer, suggestion)
    const clear = (event: MouseEvent<HTMLElement>): void => {
      // The button disappears, so the focus moves to the question.
      event.currentTarget.closest<HTMLElement>('[data-question]')?.focus({ preventScroll: true })
      announce(t('question.cleared', { title: question.title }))
      onAnswer(question, noAnswer)
    }
    return (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset can't have the focus, which a question's keys need
      <div
        role="group"
        aria-labelledby={titleId}
        aria-describedby={describedBy}
        tabIndex={-1}
        className={classNames(bar['block'], styles['question'])}
        data-question={isInert ? undefined : question.name}
        data-active={isActive ? '' : undefined}
        data-missing={isMissing ? '' : undefined}
        onFocus={() => onFocus(question)}
      >
        <div className={styles['head']}>
          <Title id={titleId} className={styles['title']}>
            <bdi>{question.title}</bdi>
            {question.required && (
              <span className={styles['required']}>
                <span aria-hidden="true"> *</span>
                <VisuallyHidden> {t('question.required')}</VisuallyHidden>
              </span>
            )}
          </Title>
          {question.description !== null && (
            <Tooltip text={question.description}>
              <button type="button" className={styles['info']} aria-label={t('question.about', { title: question.title })}>
                <InfoIcon size={14} />
              </button>
            </Tooltip>
          )}
          {suggestion && <Origin suggestion={suggestion} withScore={slice.scorePlace === 'header'} />}
        </div>
        {isMissing && (
          <p id={noteId} className={styles['note']}>
            {split ? (
              <SplitText question={question} label={split.from} into={split.into} />
            ) : isPartial && slice.Partial ? (
              <slice.Partial required={question.required} />
            ) : (
              t('question.missing')
            )}
          </p>
        )}
        {question.description !== null && (
          <p id={descriptionId} className={styles['description']} hidden={!isMissing}>
            <bdi>{question.description}</bdi>
          </p>
        )}
        <QuestionKeysContext value={keys}>
          <slice.Editor
            question={question as QuestionOf<QuestionKind>}
            answer={answer as AnswerOf<QuestionKind>}
            suggestion={suggestion as SuggestionOf<QuestionKind> | null}
            fields={fields}
            labelledBy={titleId}
            describedBy={describedBy}
            shared={shared}
            onChange={(next, options) => onAnswer(question, next as Answer, options)}
          />
        </QuestionKeysContext>
        {/* The buttons are shown beside the title but come after the answers in the document, so that Tab reaches the answers first. */}
        {!isInert && (
          <div className={styles['actions']}>
            {use !== null && use !== 'unknown' && (
              <SuggestionState
                question={question}
                outcome={use.outcome}
                onConfirm={() => onAnswer(question, { value: answer.value, suggested: null })}
              />
            )}
            {!isCleared && (
              <button
                type="button"
                className={styles['clear']}
                aria-label={t('question.clear', { title: question.title })}
                onClick={clear}
                onKeyDown={({ key, currentTarget }) => {
                  if (key === 'Escape') currentTarget.closest<HTMLElement>('[data-question]')?.focus({ preventScroll: true })
                }}
              >
                {t('action.clear')}
              </button>
            )}
          </div>
        )}
      </div>
    )
  },
)
