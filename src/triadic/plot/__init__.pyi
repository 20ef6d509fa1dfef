from .census import triad_census as triad_census
from .clustering_histogram import local_clustering as local_clustering
from .comparison import compare as compare
from .degrees import degree_distribution as degree_distribution
from .graphlet_counts import graphlet_totals as graphlet_totals
from .motif_heat_map import temporal_motifs as temporal_motifs
from .profile import significance_profile as significance_profile
from .spectrum import clustering_spectrum as clustering_spectrum
