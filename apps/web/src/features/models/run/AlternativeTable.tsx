import type { QuestionAlignment } from '@postil/contract/model-alignment.ts'
import { TableScroller, tableClass } from '#features/overview/public.ts'
import { usePeople } from '#features/records/public.ts'
import { formatCount, formatNumber, formatPercent } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { useModels } from '../context.ts'
import styles from '../models.module.css'

type Props = { readonly alternative: NonNullable<QuestionAlignment['alternative']> }

/** A p-value with three decimals. */
export const formatP = (p: number): string => (p < 0.001 ? `< ${formatNumber(0.001)}` : formatNumber(Math.round(p * 1000) / 1000))

/**
 * The alternative annotator test: for each annotator, how often the model and how often that annotator agree with the other
 * annotators.
 */
export const AlternativeTable = ({ alternative: { annotators, winning, advantage, epsilon } }: Props) => {
  const { t } = useTranslation('features/models')
  const { dataset } = useModels()
  const people = usePeople(dataset.workspace_id)
  return (
    <details>
      <summary>{t('results.alternativeDetails')}</summary>
      <p className={styles['hint']}>
        {t('results.alternativeHint', {
          winning: formatPercent(winning),
          advantage: formatPercent(advantage),
          epsilon: formatNumber(epsilon),
        })}
      </p>
      <TableScroller label={t('results.alternative')}>
        <table className={classNames(tableClass, styles['table'])}>
          <thead>
            <tr>
              <th scope="col">{t('results.annotator')}</th>
              <th scope="col" data-number="">
                {t('results.records')}
              </th>
              <th scope="col" data-number="">
                {t('results.rhoModel')}
              </th>
              <th scope="col" data-number="">
                {t('results.rhoPerson')}
              </th>
              <th scope="col" data-number="">
                p
              </th>
              <th scope="col">{t('results.replaceable')}</th>
            </tr>
          </thead>
          <tbody>
            {annotators.map(({ user_id, records, model, person, p, beaten }) => (
              <tr key={user_id}>
                <th scope="row">
                  <bdi>{people.nameOf(user_id)}</bdi>
                </th>
                <td data-number="">{formatCount(records)}</td>
                <td data-number="">{formatPercent(model)}</td>
                <td data-number="">{formatPercent(person)}</td>
                <td data-number="">{formatP(p)}</td>
                <td>{t(beaten ? 'results.yes' : 'results.no')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
    </details>
  )
}
