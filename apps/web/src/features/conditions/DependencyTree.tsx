import { isRetired } from '@postil/contract/conditions.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Pill } from '#ui/marks/Pill.tsx'
import styles from './Conditions.module.css'
import { dependencyTree, type QuestionNode, type Subjects } from './condition-edit.ts'
import { useConditionText } from './use-condition-text.ts'

type Props = Subjects & { readonly nodes?: readonly QuestionNode[] }

/** The questions of a dataset, each below the question that its condition refers to. */
export const DependencyTree = (subjects: Subjects & { readonly questions: readonly Question[] }) => {
  const { t } = useTranslation('features/conditions')
  return (
    <section className={styles['tree']} aria-labelledby="dependencies">
      <h3 id="dependencies" className={styles['treeTitle']}>
        {t('tree')}
      </h3>
      <Nodes {...subjects} nodes={dependencyTree(subjects.questions)} />
    </section>
  )
}

const Nodes = ({ nodes = [], ...subjects }: Props) => (
  <ul className={styles['nodes']}>
    {nodes.map(({ question, children }) => (
      <li key={question.id}>
        <bdi>{question.title}</bdi> <ShownWhen question={question} {...subjects} />
        {children.length > 0 && <Nodes {...subjects} nodes={children} />}
      </li>
    ))}
  </ul>
)

type ShownWhenProps = Subjects & { readonly question: Pick<Question, 'shown_when'> }

/** The stored condition of a question in words. */
export const ShownWhen = ({ question: { shown_when }, ...subjects }: ShownWhenProps) => {
  const { t } = useTranslation('features/conditions')
  const textOf = useConditionText()
  if (!shown_when) return null
  if (isRetired({ shown_when })) return <Pill>{t('retired')}</Pill>
  return <span className={styles['shownWhen']}>{t('shownWhen', { condition: textOf(shown_when, subjects) })}</span>
}
