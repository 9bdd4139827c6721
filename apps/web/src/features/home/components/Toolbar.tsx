import type { Home } from '@postil/contract/home.ts'
import { getRouteApi } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { isComposing } from '#lib/keys/is-composing.ts'
import type { HomeSearch, HomeSort } from '#lib/url/home-search.ts'
import { printHomeSort, printWorkspaces, readHomeSort, readWorkspaces } from '#lib/url/home-search.ts'
import { Button } from '#ui/controls/Button.tsx'
import { CheckList, searchFrom } from '#ui/controls/CheckList.tsx'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { CloseIcon } from '#ui/marks/first-icons.tsx'
import { FolderIcon, SearchIcon, SortIcon } from '#ui/marks/icons.tsx'
import { Menu } from '#ui/overlays/Menu.tsx'
import { MenuChoice, MenuSeparator } from '#ui/overlays/MenuItems.tsx'
import { Popover } from '#ui/overlays/Popover.tsx'
import type { WorkspaceCount } from '../dataset-list.ts'
import { matchesText, unknownWorkspaces, workspaceCounts } from '../dataset-list.ts'
import styles from './Toolbar.module.css'

const route = getRouteApi('/inside/')
const keys: readonly HomeSort['key'][] = ['updatedAt', 'createdAt', 'name']
const orders: readonly HomeSort['order'][] = ['desc', 'asc']

/** Returns a function that changes the URL. A change adds an entry to the browser's history, unless it clears all choices. */
const useChange = () => {
  const navigate = route.useNavigate()
  const search = route.useSearch()
  return (change: HomeSearch) => {
    const next = { ...search, ...change }
    const isEmpty = Object.values(next).every((value) => !value)
    void navigate({ search: next, replace: isEmpty, resetScroll: false })
  }
}

export const Toolbar = ({ home }: { readonly home: Home }) => (
  <div className={styles['toolbar']}>
    <Search />
    <Workspaces home={home} />
    <Sort />
  </div>
)

const Search = () => {
  const { t } = useTranslation('features/home')
  const { search = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(search)
  const [known, setKnown] = useState(search)
  // The URL has changed because the user navigated back or forward or cleared the search. The input must show the URL's text.
  if (known !== search) {
    setKnown(search)
    setTyped(search)
  }
  const change = (text: string) => {
    setTyped(text)
    setKnown(text)
    // A search adds one history entry, not one per letter. Clearing the input adds none.
    const replace = typed !== '' || text === ''
    void navigate({ search: (now) => ({ ...now, search: text }), replace, resetScroll: false })
  }
  // The button disappears when the text is cleared. The focus moves to the input, for the next search.
  const clear = () => {
    change('')
    input.current?.focus()
  }
  return (
    <Input
      ref={input}
      className={styles['search']}
      label={t('search')}
      hideLabel
      type="search"
      placeholder={t('search')}
      value={typed}
      onChange={(event) => change(event.target.value)}
      onKeyDown={(event) => event.key === 'Escape' && !isComposing(event.nativeEvent) && change('')}
      before={<SearchIcon />}
      after={typed !== '' && <IconButton className={styles['clear']} icon={CloseIcon} label={t('clearSearch')} onClick={clear} />}
    />
  )
}

const Workspaces = ({ home }: { readonly home: Home }) => {
  const { t } = useTranslation('features/home')
  const chosen = readWorkspaces(route.useSearch().workspaces)
  const change = useChange()
  const counts = workspaceCounts(home)
  const unknown = unknownWorkspaces(home, chosen)
  if (counts.length < 2 && chosen.length === 0) return null
  const label =
    chosen.length === 0 ? t('workspaces') : chosen.length === 1 ? chosen[0] : t('workspacesChosen', { count: chosen.length })
  return (
    <Popover
      label={t('workspaces')}
      className={styles['workspaces']}
      trigger={
        <Button
          icon={FolderIcon}
          className={styles['chooser']}
          data-active={chosen.length > 0 ? '' : undefined}
          aria-label={chosen.length === 1 ? t('workspace', { name: chosen[0] }) : undefined}
        >
          <span className={styles['label']}>{label}</span>
        </Button>
      }
    >
      <WorkspaceList
        counts={counts}
        chosen={chosen}
        // The URL may name workspaces that the list doesn't contain. When the user changes the selection, these names are removed
        // from the URL.
        onChange={(names) => change({ workspaces: printWorkspaces(names.filter((name) => !unknown.includes(name))) })}
      />
    </Popover>
  )
}

type ListProps = {
  readonly counts: readonly WorkspaceCount[]
  readonly chosen: readonly string[]
  readonly onChange: (names: readonly string[]) => void
}

const WorkspaceList = ({ counts, chosen, onChange }: ListProps) => {
  const { t } = useTranslation('features/home')
  const [searchText, setSearchText] = useState('')
  const found = counts.filter(({ name }) => matchesText(name, searchText))
  return (
    <>
      <CheckList
        label={t('workspaces')}
        options={found.map(({ name, datasets }) => ({ value: name, text: name, end: formatCount(datasets) }))}
        picked={chosen}
        onPick={(name) => onChange(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name])}
        search={
          counts.length >= searchFrom
            ? { label: t('searchWorkspaces'), placeholder: t('searchWorkspaces'), searchText, onSearchText: setSearchText }
            : null
        }
      />
      {found.length === 0 && (
        <p role="status" className={styles['none']}>
          {t('noWorkspaceFound', { query: searchText })}
        </p>
      )}
    </>
  )
}

const Sort = () => {
  const { t } = useTranslation('features/home')
  const sort = readHomeSort(route.useSearch().sort)
  const change = useChange()
  return (
    <Menu
      align="end"
      trigger={
        <Button
          icon={SortIcon}
          className={styles['chooser']}
          aria-label={t('sortedBy', { key: t(`sort.${sort.key}`), order: t(`order.${sort.key}.${sort.order}`) })}
        >
          <span className={styles['label']}>{t(`sort.${sort.key}`)}</span>
        </Button>
      }
    >
      <MenuChoice
        label={t('sortBy')}
        value={sort.key}
        choices={keys.map((key) => ({ value: key, label: t(`sort.${key}`) }))}
        onChange={(key) => change({ sort: printHomeSort({ key, order: key === 'name' ? 'asc' : 'desc' }) })}
      />
      <MenuSeparator />
      <MenuChoice
        label={t('orderBy')}
        value={sort.order}
        choices={orders.map((order) => ({ value: order, label: t(`order.${sort.key}.${order}`) }))}
        onChange={(order) => change({ sort: printHomeSort({ ...sort, order }) })}
      />
    </Menu>
  )
}
