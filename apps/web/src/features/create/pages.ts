// biome-ignore lint/performance/noBarrelFile: the two pages share most of what they are made of, and so travel in one file
export { ImportPage } from './components/import/ImportPage.tsx'
export { NewDatasetPage } from './components/NewDatasetPage.tsx'
