import { useTranslation } from '#i18n/use-translation.ts'
import { ComparedText } from './ComparedText.tsx'
import styles from './TextDiff.module.css'

type Props = { readonly title: string; readonly before: string | null; readonly after: string | null }

export const TextDiff = ({ title, before, after }: Props) => {
  const { t } = useTranslation('question-types/shared')
  const sides = [
    { label: t('diff.before'), text: before, other: after },
    { label: t('diff.after'), text: after, other: before },
  ]
  return (
    <section className={styles['diff']} aria-label={title}>
      <h3 className={styles['title']}>
        <bdi>{title}</bdi>
      </h3>
      {sides.map(({ label, text, other }) => (
        <div key={label}>
          <p className={styles['label']}>{label}</p>
          {text === null ? <p className={styles['none']}>{t('diff.none')}</p> : <ComparedText text={text} other={other ?? ''} />}
        </div>
      ))}
    </section>
  )
}

type Texts = Omit<Props, 'title'>
type DiffsProps = {
  readonly guidelinesTitle: string
  readonly guidelines: Texts | null
  readonly descriptions: readonly (Texts & { readonly question_id: string })[]
  readonly questions: readonly { readonly id: string; readonly title: string }[]
}

export const TextDiffs = ({ guidelinesTitle, guidelines, descriptions, questions }: DiffsProps) => (
  <>
    {guidelines && <TextDiff title={guidelinesTitle} {...guidelines} />}
    {descriptions.map(({ question_id, before, after }) => (
      <TextDiff
        key={question_id}
        title={questions.find(({ id }) => id === question_id)?.title ?? ''}
        before={before}
        after={after}
      />
    ))}
  </>
)
