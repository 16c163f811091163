import { loadContract } from './dist/spec/index.js'; import { domainBodyFor } from './dist/generators/index.js';
const contract = await loadContract(); const clues = domainBodyFor(contract, 'POST /clue');
let b = 0; const N = 30000; for (let i=0;i<2000;i++) clues.at(i,9);
const sizes=[]; const c0=process.cpuUsage().user;
for (let i = 0; i < N; i++) { const c = clues.at(i, 1); if (i < 3000) sizes.push(JSON.stringify(c).length); }
console.log(N/((process.cpuUsage().user-c0)/1e6), 'clues per CPU s');
sizes.sort((a,b)=>a-b); console.log('mean', sizes.reduce((a,b)=>a+b)/sizes.length, 'p50', sizes[1500], 'p99', sizes[2970], 'max', sizes.at(-1));
