"""What the short names of journals print, which the classes of astronomy define and their reference lists are full of.

After AASTeX (``aastex631.cls``), whose names are those of NASA's Astrophysics Data System; other classes have the same ones.
"""

from __future__ import annotations

from typing import Final

_LIST: Final = """
aj AJ; psj PSJ; araa ARA&A; apj ApJ; apjl ApJL; apjs ApJS; ao ApOpt; apss Ap&SS; aap A&A; aapr A&A Rv; aaps A&AS; azh AZh;
baas BAAS; icarus Icarus; jaavso JAAVSO; jrasc JRASC; memras MmRAS; mnras MNRAS; pra PhRvA; prb PhRvB; prc PhRvC; prd PhRvD;
pre PhRvE; prl PhRvL; pasp PASP; pasj PASJ; qjras QJRAS; skytel S&T; solphys SoPh; sovast Soviet Ast.; ssr SSRv; zap ZA;
nat Nature; iaucirc IAUC; aplett Astrophys. Lett.; apspr Astrophys. Space Phys. Res.; bain BAN; fcp FCPh; gca GeoCoA;
grl Geophys. Res. Lett.; jcp JChPh; jgr J. Geophys. Res.; jqsrt JQSRT; memsai MmSAI; nphysa NuPhA; physrep PhR; physscr PhyS;
planss Planet. Space Sci.; procspie Proc. SPIE; actaa AcA; caa ChA&A; cjaa ChJA&A; jcap JCAP; na NewA; nar NewAR; pasa PASA;
rmxaa RMxAA; maps M&PS
"""

JOURNALS: Final = {f"\\{name}": printed for name, _, printed in (entry.strip().partition(" ") for entry in _LIST.split(";"))}
"""Command → what it prints."""
