import type { QuestionAgreement } from '@postil/contract/agreement.ts'
import { printAnswer, printOverlap } from '#features/records/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { valueText } from '#question-types/value-text.ts'
import { useOverview } from '../context.ts'
import { formatCoefficient } from '../parts/format.ts'
import { Panel, ShareBar, TableScroller } from '../parts/Panel.tsx'
import partStyles from '../parts/parts.module.css'
import { Count } from '../parts/RecordsLink.tsx'
import styles from './agreement.module.css'
import { Confusion } from './Confusion.tsx'
import { comparesTurns } from './headline.ts'
import { PairMatrix } from './PairMatrix.tsx'

type Props = { readonly found: QuestionAgreement; readonly title: string }

const ByLabel = ({ found, title }: Props) => {
  const { t } = useTranslation('features/overview')
  const { questions } = useOverview()
  const question = questions.find(({ id }) => id === found.question_id)
  const textOf = (value: string | number) => (question ? valueText(question, value) : String(value))
  return (
    <Panel
      level={3}
      title={t('agreement.byLabel')}
      hint={t('agreement.byLabelHint')}
      sheet={{
        head: [t('labels.value'), t('agreement.alpha'), t('labels.count')],
        rows: found.labels.map(({ value, alpha, count }) => [textOf(value), alpha, count]),
      }}
    >
      <TableScroller label={`${title}: ${t('agreement.byLabel')}`}>
        <table className={partStyles['table']}>
          <thead>
            <tr>
              <th scope="col">{t('labels.value')}</th>
              <th scope="col" data-bar="">
                <span className="visually-hidden">{t('agreement.alpha')}</span>
              </th>
              <th scope="col" data-number="">
                {t('agreement.alpha')}
              </th>
              <th scope="col" data-number="">
                {t('labels.count')}
              </th>
            </tr>
          </thead>
          <tbody>
            {found.labels.map(({ value, alpha, count }) => (
              <tr key={value}>
                <th scope="row" title={textOf(value)}>
                  <bdi>{textOf(value)}</bdi>
                </th>
                <td>{alpha !== null && <ShareBar share={alpha} />}</td>
                <td data-number="">
                  {alpha === null ? <span className={partStyles['quiet']}>–</span> : formatCoefficient(alpha)}
                </td>
                <td data-number="">
                  <Count value={count} search={{ answer: printAnswer({ question: found.name, value: String(value) }) }} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
    </Panel>
  )
}

const ByPerson = ({ found, title }: Props) => {
  const { t } = useTranslation('features/overview')
  const { people } = useOverview()
  const users = found.users.toSorted((a, b) => (a.with_others ?? 2) - (b.with_others ?? 2))
  const isReviewed = users.some(({ gold_n }) => gold_n > 0)
  return (
    <Panel
      level={3}
      title={t('agreement.byPerson')}
      hint={t('agreement.byPersonHint')}
      sheet={{
        head: [
          t('people.name'),
          t('agreement.withOthers'),
          t('agreement.answers'),
          ...(isReviewed ? [t('agreement.withFinal'), t('agreement.finalAnswers')] : []),
        ],
        rows: users.map(({ user_id, with_others, answers, with_gold, gold_n }) => [
          people.nameOf(user_id),
          with_others,
          answers,
          ...(isReviewed ? [with_gold, gold_n] : []),
        ]),
      }}
    >
      <TableScroller label={`${title}: ${t('agreement.byPerson')}`}>
        <table className={partStyles['table']}>
          <thead>
            <tr>
              <th scope="col">{t('people.name')}</th>
              <th scope="col" data-bar="">
                <span className="visually-hidden">{t('agreement.withOthers')}</span>
              </th>
              <th scope="col" data-number="">
                {t('agreement.withOthers')}
              </th>
              {isReviewed && (
                <th scope="col" data-number="">
                  {t('agreement.withFinal')}
                </th>
              )}
              <th scope="col" data-number="">
                {t('agreement.answers')}
              </th>
            </tr>
          </thead>
          <tbody>
            {users.map(({ user_id: by, with_others, answers, with_gold, gold_n }) => (
              <tr key={by}>
                <th scope="row">
                  <bdi>{people.nameOf(by)}</bdi>
                </th>
                <td>{with_others !== null && <ShareBar share={with_others} />}</td>
                <td data-number="">
                  {with_others === null ? (
                    <span className={partStyles['quiet']}>{t('agreement.alone')}</span>
                  ) : (
                    formatCoefficient(with_others)
                  )}
                </td>
                {isReviewed && (
                  <td data-number="" title={t('agreement.finalCount', { count: gold_n, shown: formatCount(gold_n) })}>
                    {with_gold === null ? <span className={partStyles['quiet']}>–</span> : formatCoefficient(with_gold)}
                  </td>
                )}
                <td data-number="">
                  <Count value={answers} search={{ by, overlap: printOverlap({ kind: 'any', question: found.name }) }} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
    </Panel>
  )
}

/** Details of the agreement: the secondary coefficients, and how many answers and records the agreement is based on. */
const Facts = ({ found }: { readonly found: QuestionAgreement }) => {
  const { t } = useTranslation('features/overview')
  const { questions } = useOverview()
  const isPerTurn = comparesTurns(questions.find(({ id }) => id === found.question_id))
  const overlap = (kind: 'any' | 'single') => ({ overlap: printOverlap({ kind, question: found.name }) })
  return (
    <dl className={styles['facts']}>
      {found.secondary.map(({ measure, value, reason }) => (
        <div key={measure}>
          <dt>{t(`measure.${measure}`)}</dt>
          <dd>{value === null ? t(`reason.${reason ?? 'no_overlap'}`) : formatCoefficient(value)}</dd>
        </div>
      ))}
      {found.observed !== null && found.expected !== null && (
        <div>
          <dt>{t('agreement.chance')}</dt>
          <dd>
            {t('agreement.observed', {
              observed: formatCoefficient(found.observed),
              expected: formatCoefficient(found.expected),
            })}
          </dd>
        </div>
      )}
      <div>
        <dt>{t('agreement.answers')}</dt>
        <dd>{formatCount(found.answers)}</dd>
      </div>
      <div>
        <dt>{isPerTurn ? t('agreement.singleTurns') : t('agreement.single')}</dt>
        <dd>
          <Count value={found.units_single} search={overlap('single')} />
        </dd>
      </div>
    </dl>
  )
}

/** Whether anyone's answers can be compared with other people's answers or with final answers. */
const canCompare = ({ pairs, users }: QuestionAgreement): boolean => pairs.length > 0 || users.some(({ gold_n }) => gold_n > 0)

/** Everything about the agreement on one question. */
export const AgreementDetail = ({ found, title }: Props) => (
  <div className={styles['detail']}>
    <Facts found={found} />
    {found.pairs.length > 0 && <PairMatrix found={found} />}
    <div className={styles['columns']}>
      {found.labels.length > 0 && <ByLabel found={found} title={title} />}
      {found.users.length > 0 && <ByPerson found={found} title={title} />}
    </div>
    {canCompare(found) && (found.measure === 'alpha_nominal' || found.measure === 'alpha_ordinal') && <Confusion found={found} />}
  </div>
)
