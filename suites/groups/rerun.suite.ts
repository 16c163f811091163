import { declareRerun } from '../kit/rerun.ts';
import { openSession } from '../kit/session.ts';

declareRerun(await openSession());
