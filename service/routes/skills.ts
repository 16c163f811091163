import { ok } from '../http/answer.ts';
import { group } from './define.ts';

const SKILLS = [
  {
    id: '3e9a7c10-6b42-4d18-a5f0-8c2d4e6f8a01',
    name: 'Search golden records',
    autoApprove: true,
    supportedPrimaryDataSourceTypes: ['Entity'],
  },
  {
    id: '3e9a7c10-6b42-4d18-a5f0-8c2d4e6f8a02',
    name: 'Propose a data quality rule',
    autoApprove: false,
    supportedPrimaryDataSourceTypes: ['Entity', 'Rule'],
  },
  {
    id: '3e9a7c10-6b42-4d18-a5f0-8c2d4e6f8a03',
    name: 'Propose a glossary term',
    autoApprove: false,
    supportedPrimaryDataSourceTypes: ['Glossary'],
  },
] as const;

export const skillOperations = group('any', { 'GET /aijobskills': () => ok(SKILLS) });
