import type { Insights } from '@postil/contract/insights.ts'
import { printSuggested } from '#features/records/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { EmptyState } from '#ui/feedback/EmptyState.tsx'
import { useOverview } from '../context.ts'
import { formatShare } from '../parts/format.ts'
import { Panel, ShareBar, TableScroller } from '../parts/Panel.tsx'
import partStyles from '../parts/parts.module.css'
import { Count } from '../parts/RecordsLink.tsx'
import styles from './sections.module.css'

/**
 * The results for which the records page has a filter. This filter also finds answers whose authors didn't see the suggestion,
 * which aren't counted here. If there are such answers, the counts are therefore not links.
 */
const results = ['shown', 'accepted', 'changed'] as const
const outcomes = ['confirmed', 'accepted_unseen'] as const
const numbers = [...results, ...outcomes, 'not_shown'] as const

export const SuggestionsSection = ({ insights }: { readonly insights: Insights }) => {
  const { t } = useTranslation('features/overview')
  const { questions } = useOverview()
  const { suggestions } = insights
  if (suggestions.length === 0) return <EmptyState title={t('suggestions.empty')} hint={t('suggestions.emptyHint')} />
  const titleOf = (id: string, name: string) => questions.find((question) => question.id === id)?.title ?? name
  const agentText = (agent: string | null) => agent ?? t('suggestions.noAgent')
  return (
    <Panel
      title={t('section.suggestions')}
      hint={t('suggestions.hint')}
      sheet={{
        head: [t('suggestions.question'), t('suggestions.agent'), ...numbers.map((key) => t(`suggestions.${key}`))],
        rows: suggestions.map((one) => [titleOf(one.question_id, one.name), one.agent, ...numbers.map((key) => one[key])]),
      }}
    >
      <TableScroller label={t('section.suggestions')}>
        <table className={partStyles['table']}>
          <thead>
            <tr>
              <th scope="col">{t('suggestions.question')}</th>
              <th scope="col">{t('suggestions.agent')}</th>
              <th scope="col" data-bar="">
                {t('suggestions.acceptance')}
              </th>
              {numbers.map((key) => (
                <th key={key} scope="col" data-number="">
                  {t(`suggestions.${key}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {suggestions.map((one) => (
              <tr key={`${one.question_id} ${one.agent}`}>
                <th scope="row">
                  <bdi>{titleOf(one.question_id, one.name)}</bdi>
                </th>
                <td>
                  {one.agent === null ? (
                    <span className={partStyles['quiet']}>{agentText(null)}</span>
                  ) : (
                    <bdi>{agentText(one.agent)}</bdi>
                  )}
                </td>
                <td>
                  <span className={styles['share']}>
                    <ShareBar share={one.accepted / one.shown} />
                    {formatShare(one.accepted, one.shown)}
                  </span>
                </td>
                {results.map((result) => (
                  <td key={result} data-number="">
                    {one.not_shown > 0 ? (
                      formatCount(one[result])
                    ) : (
                      <Count
                        value={one[result]}
                        search={{ suggested: printSuggested({ result, question: one.name, agent: one.agent ?? '' }) }}
                      />
                    )}
                  </td>
                ))}
                {[...outcomes, 'not_shown' as const].map((outcome) => (
                  <td key={outcome} data-number="">
                    {formatCount(one[outcome])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
    </Panel>
  )
}
